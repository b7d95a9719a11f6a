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
import { PageName } from "../shared/PageName";
import { StateMessage } from "../shared/states/StateMessage";
import { UnknownWorld, useUnknownWorld } from "../shared/world/UnknownWorld";
import { useSelectedWorld } from "../shared/world/useSelectedWorld";
import { useVariant } from "../shared/world/useVariant";
import { Cockpit } from "./components/Cockpit";
import classes from "./components/Play.module.css";
import { usePlaySession } from "./state/usePlaySession";
import { usePolicyChoice } from "./state/usePolicyChoice";
import { useSessionWorld } from "./state/useSessionWorld";

/** Play: a world's console where it has one, else a seat of the world; `?as=agent` takes the seat in any case. */
export default function PlayPage() {
  return (
    <>
      <PageName name="Play" />
      <Playing />
    </>
  );
}

function Playing() {
  const [chosen] = useSelectedWorld();
  const worlds = useWorlds();
  const parameters = new URLSearchParams(useSearch());
  const variant = parameters.get("variant");
  // A forked session is adopted until another world or variant is chosen, whatever else happens to the address.
  const [entered] = useState(parameters.get("session"));
  const isElsewhere = parameters.get("session") !== entered && (parameters.has("world") || variant !== null);
  const adopted = isElsewhere ? null : entered;
  const consoles = useQuery(consolesQuery);
  const world = chosen ?? worlds.data?.worlds.find(hasRenderer) ?? null;
  const seed = seedIn(parameters.get("seed"));
  const isSeat = adopted !== null || variant !== null || parameters.get("as") === "agent";
  if (!isSeat && consoles.isPending) {
    return <PlaySkeleton />;
  }
  const row = isSeat ? undefined : consoles.data?.consoles.find((one) => one.world === world);
  return row === undefined ? (
    <SeatPlay world={world} variant={variant} adopted={adopted} seed={seed} />
  ) : (
    <ConsolePlay key={world} console={row} />
  );
}

interface SeatProps {
  world: string | null;
  variant: string | null;
  /** A session that is open already. */
  adopted: string | null;
  /** Of the first episode; drawn by the server where none is named. */
  seed: number | null;
}

/** Returns the seed of an address; null where it names none that a page can read exactly. */
function seedIn(text: string | null): number | null {
  const seed = Number(text ?? Number.NaN);
  return Number.isSafeInteger(seed) && seed >= 0 ? seed : null;
}

/** A session of one's own, from a fresh world or from the middle of a replay. */
function SeatPlay({ world, variant, adopted, seed }: SeatProps) {
  const worlds = useWorlds();
  const unknown = useUnknownWorld();
  const play = usePlaySession(world, variant, adopted, seed);
  const { session } = play;
  // Kept while one session makes room for another, such as one in the configuration of the policy.
  const choice = usePolicyChoice(world);
  const descriptor = useSessionWorld(session);
  // The picture is prepared while the session is being opened.
  const expected = useWorld(adopted === null ? world : null, variant);
  const scene = useWorldScene(descriptor.data ?? expected.data);
  const [, chooseVariant] = useVariant();
  const startAnew = () => world !== null && play.start({ world, variant });
  // A variant that could not be started is left behind.
  const startUsual = () => (world === null || variant === null ? startAnew() : chooseVariant(world, null));

  if (session.status === "failed") {
    if (unknown !== null && adopted === null) {
      return <UnknownWorld world={unknown} />;
    }
    return (
      <StateMessage
        icon={CircleAlert}
        tone="bad"
        title="The game could not be started"
        hint={session.message}
        action={{ label: "Start a new one", onClick: startUsual }}
      />
    );
  }
  if (session.status === "ended") {
    return (
      <StateMessage
        icon={Gamepad2}
        title="You left the controls"
        hint="The session is over and nothing of it was kept."
        action={{ label: "Start a new one", onClick: startAnew }}
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
  return <Cockpit play={play} choice={choice} session={session} descriptor={descriptor.data} scene={scene.data} />;
}

function PlaySkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <div className={classes.layout}>
        <Skeleton className={classes.toolbar} h={36} />
        <Skeleton className={classes.view} radius="lg" />
        <Skeleton style={{ gridArea: "deck" }} h={300} radius="lg" />
        <Skeleton className={classes.side} h={560} radius="lg" />
      </div>
    </div>
  );
}
