import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Gamepad2, ImageOff } from "lucide-react";
import { useState } from "react";
import { useSearch } from "wouter";
import { useWorld, useWorlds } from "../api/queries";
import { ConsolePlay } from "../console/components/ConsolePlay";
import { consolesQuery } from "../console/state/calls";
import { hasRenderer } from "../renderers/registry";
import { useWorldScene } from "../renderers/ui/useWorldScene";
import { StateMessage } from "../shared/states/StateMessage";
import { useSelectedWorld } from "../shared/world/useSelectedWorld";
import { Cockpit } from "./components/Cockpit";
import classes from "./components/Play.module.css";
import { usePlaySession } from "./state/usePlaySession";

/** Play: a world's console where it has one, else a seat of the world; `?as=agent` takes the seat in any case. */
export default function PlayPage() {
  const [chosen] = useSelectedWorld();
  const worlds = useWorlds();
  const parameters = new URLSearchParams(useSearch());
  // A forked session is adopted once, whatever happens to the address later.
  const [adopted] = useState(parameters.get("session"));
  const consoles = useQuery(consolesQuery);
  const world = chosen ?? worlds.data?.worlds.find(hasRenderer) ?? null;
  const isSeat = adopted !== null || parameters.get("as") === "agent";
  if (!isSeat && consoles.isPending) {
    return <PlaySkeleton />;
  }
  const row = isSeat ? undefined : consoles.data?.consoles.find((one) => one.world === world);
  return row === undefined ? <SeatPlay world={world} adopted={adopted} /> : <ConsolePlay key={world} console={row} />;
}

/** A session of one's own, from a fresh world or from the middle of a replay. */
function SeatPlay({ world, adopted }: { world: string | null; adopted: string | null }) {
  const worlds = useWorlds();
  const play = usePlaySession(world, adopted);
  const { session } = play;
  const shownWorld = session.status === "open" ? session.state.world : world;
  const descriptor = useWorld(shownWorld);
  const scene = useWorldScene(descriptor.data);

  if (session.status === "failed") {
    return (
      <StateMessage
        icon={CircleAlert}
        tone="bad"
        title="The game could not be started"
        hint={session.message}
        action={{ label: "Start a new one", onClick: () => world !== null && play.start({ world }) }}
      />
    );
  }
  if (session.status === "ended") {
    return (
      <StateMessage
        icon={Gamepad2}
        title="You left the controls"
        hint="The session is over and nothing of it was kept."
        action={{ label: "Start a new one", onClick: () => world !== null && play.start({ world }) }}
      />
    );
  }
  const failure = worlds.error ?? descriptor.error;
  if (failure !== null) {
    return <StateMessage icon={CircleAlert} tone="bad" title="The world could not be read" hint={failure.message} />;
  }
  if (scene.error !== null) {
    return <StateMessage icon={ImageOff} tone="warn" title="No picture for this world" hint={scene.error.message} />;
  }
  if (session.status === "opening" || descriptor.data === undefined || scene.data === undefined) {
    return <PlaySkeleton />;
  }
  return <Cockpit play={play} session={session} descriptor={descriptor.data} scene={scene.data} />;
}

function PlaySkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <div className={classes.layout}>
        <div className={classes.main}>
          <Skeleton h={36} />
          <Skeleton className={classes.view} radius="lg" />
          <Skeleton h={300} radius="lg" />
        </div>
        <Skeleton h={560} radius="lg" />
      </div>
    </div>
  );
}
