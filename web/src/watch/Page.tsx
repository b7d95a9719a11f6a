import { Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleAlert, Clapperboard, ImageOff } from "lucide-react";
import { useEffect } from "react";
import { ApiError } from "../api/errors";
import { windowsQuery } from "../api/queries";
import { useWorldScene } from "../renderers/ui/useWorldScene";
import { PageName } from "../shared/PageName";
import { NoRuns } from "../shared/states/NoRuns";
import { StateMessage } from "../shared/states/StateMessage";
import { LiveFollow } from "./components/LiveFollow";
import { Theater } from "./components/Theater";
import classes from "./components/Theater.module.css";
import { liftCover } from "./state/cover";
import { replayQuery } from "./state/replayQuery";
import { useReplayWorld } from "./state/useReplayWorld";
import { type Selection, useSelection } from "./state/useSelection";
import { askForOpening } from "./transport/http";

const NOT_FOUND = 404;
const BEST_INSTEAD = { label: "Show the best instead", href: "/watch" };

/** Watch: replays of trained policies, at any moment, alone or side by side. */
export default function WatchPage() {
  return (
    <>
      <PageName name="Watch" />
      <Watching />
    </>
  );
}

function Watching() {
  const selection = useSelection();
  if (selection.ref !== null) {
    return <Screening selection={selection} replayRef={selection.ref} />;
  }
  if (selection.error instanceof ApiError && selection.error.status === NOT_FOUND) {
    return (
      <StateMessage
        icon={CircleAlert}
        tone="bad"
        title="There is no such run"
        hint={selection.error.message}
        action={BEST_INSTEAD}
      />
    );
  }
  if (selection.error !== null) {
    return (
      <StateMessage
        icon={CircleAlert}
        tone="bad"
        title="The runs could not be read"
        hint={selection.error.message}
        action={{ label: "Try again", onClick: selection.retry }}
      />
    );
  }
  return selection.isLoading ? <WatchSkeleton /> : <NothingToWatch selection={selection} />;
}

function Screening({ selection, replayRef }: { selection: Selection; replayRef: NonNullable<Selection["ref"]> }) {
  // The replay on screen stands in for the next one: its world is kept, and with it the picture.
  const detail = useQuery({ ...replayQuery(replayRef), placeholderData: keepPreviousData });
  const world = useReplayWorld(detail.data);
  const scene = useWorldScene(world.data);
  const windows = useQuery(windowsQuery(replayRef.run));
  // The tick in the address moves while a replay plays; only another replay is opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (selection.linkedTick === null) {
      askForOpening(replayRef);
    }
  }, [replayRef]);
  const failure = detail.error ?? world.error;
  const isBroken = failure !== null || scene.error !== null;
  useEffect(() => {
    if (isBroken) {
      liftCover();
    }
    return liftCover;
  }, [isBroken]);
  if (failure !== null) {
    return (
      <StateMessage
        icon={CircleAlert}
        tone="bad"
        title="This replay cannot be shown"
        hint={failure.message}
        action={BEST_INSTEAD}
      />
    );
  }
  if (scene.error !== null) {
    return <StateMessage icon={ImageOff} tone="warn" title="No picture for this world" hint={scene.error.message} />;
  }
  if (world.data === undefined || scene.data === undefined) {
    return <WatchSkeleton />;
  }
  return (
    <Theater
      selection={selection}
      replayRef={replayRef}
      descriptor={world.data}
      scene={scene.data}
      windows={windows.data ?? []}
      live={
        <LiveFollow
          runId={replayRef.run}
          isTraining={selection.run?.status === "running"}
          newest={selection.replays[0]}
        />
      }
    />
  );
}

function NothingToWatch({ selection }: { selection: Selection }) {
  if (selection.run?.status === "running") {
    return (
      <>
        <div className={classes.bar} style={{ justifyContent: "center", marginTop: 24 }}>
          <LiveFollow runId={selection.run.run_id} isTraining newest={undefined} />
        </div>
        <StateMessage
          icon={Clapperboard}
          title="The first replay is being recorded"
          hint={`The run ${selection.run.run_id} goes on. Its replays appear here as they are written.`}
        />
      </>
    );
  }
  if (selection.runId !== null) {
    return (
      <StateMessage
        icon={Clapperboard}
        title="No replay was recorded"
        hint={`The run ${selection.runId} has none.`}
        action={{ label: "Study it", href: `/analytics?runs=${encodeURIComponent(selection.runId)}` }}
      />
    );
  }
  return <NoRuns icon={Clapperboard} title="Nothing to watch yet" />;
}

function WatchSkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <div className={classes.bar}>
        <Skeleton h={36} w={260} />
        <Skeleton h={36} w={340} />
      </div>
      <div className={classes.layout}>
        <div className={classes.main}>
          <Skeleton className={classes.stages} radius="lg" />
          <Skeleton h={150} radius="lg" />
        </div>
        <Skeleton h={560} radius="lg" />
      </div>
    </div>
  );
}
