import { Button, Loader, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Grid3x3, ImageOff } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useWorld, useWorlds } from "../api/queries";
import type { WorldDescriptor } from "../api/types";
import { consolesQuery, type ProgramRow, programsQuery } from "../console/state/calls";
import { isPalette, type PaletteName } from "../renderers/pixels/shades";
import type { WorldScene } from "../renderers/sceneQuery";
import { sendsPixels } from "../renderers/sceneQuery";
import { useWorldScene } from "../renderers/ui/useWorldScene";
import { PageName } from "../shared/PageName";
import { StateMessage } from "../shared/states/StateMessage";
import { UnknownWorld, useUnknownWorld } from "../shared/world/UnknownWorld";
import { useSelectedWorld } from "../shared/world/useSelectedWorld";
import { LanePanel } from "./components/LanePanel";
import { WallCanvas } from "./components/WallCanvas";
import { WallControls } from "./components/WallControls";
import { WallNumbers } from "./components/WallNumbers";
import { layOut } from "./state/layout";
import { readQuestion, type WallQuestion, wallAddress } from "./state/question";
import { useWall } from "./state/useWall";
import classes from "./wall.module.css";

/** Width to height of the place a wall has. */
const ASPECT = 1.35;

/** A wall of many copies of a live batch, all at once. */
export default function WallPage() {
  return (
    <>
      <PageName name="Wall" />
      <Wall />
    </>
  );
}

function Wall() {
  const [chosen] = useSelectedWorld();
  const worlds = useWorlds();
  const unknown = useUnknownWorld();
  const consoles = useQuery(consolesQuery);
  const withConsoles = consoles.data?.consoles.map((row) => row.world) ?? [];
  const world = chosen ?? withConsoles[0] ?? null;
  const hasConsoles = world !== null && withConsoles.includes(world);
  const programs = useQuery({ ...programsQuery(world ?? ""), enabled: hasConsoles });
  const games = (programs.data?.programs ?? []).filter((program) => program.config !== null);
  const descriptor = useWorld(world);
  const scene = useWorldScene(descriptor.data);
  const failure = worlds.error ?? consoles.error ?? descriptor.error;
  if (unknown !== null) {
    return <UnknownWorld world={unknown} />;
  }
  if (failure !== null) {
    return <StateMessage icon={CircleAlert} tone="bad" title="The world could not be read" hint={failure.message} />;
  }
  if (scene.error !== null) {
    return <StateMessage icon={ImageOff} tone="warn" title="No picture for this world" hint={scene.error.message} />;
  }
  if (descriptor.data !== undefined && !sendsPixels(descriptor.data)) {
    return (
      <StateMessage
        icon={Grid3x3}
        title="No wall for this world"
        hint="A wall shows worlds that agents see as pixels."
        action={
          withConsoles[0] === undefined ? undefined : { label: "Show one that has", href: wallOf(withConsoles[0]) }
        }
      />
    );
  }
  const isWaiting = hasConsoles && programs.isPending;
  if (world === null || descriptor.data === undefined || scene.data === undefined || isWaiting) {
    return (
      <div className={classes.waiting}>
        <Loader role="status" aria-label="Loading" />
      </div>
    );
  }
  return <Hung key={world} descriptor={descriptor.data} scene={scene.data} games={games} />;
}

const wallOf = (world: string) => `/wall?world=${encodeURIComponent(world)}`;

interface HungProps {
  descriptor: WorldDescriptor;
  scene: WorldScene;
  games: readonly ProgramRow[];
}

function Hung({ descriptor, scene, games }: HungProps) {
  const [, go] = useLocation();
  const search = useSearch();
  const question = useMemo(() => readQuestion(search), [search]);
  const config = games.find(({ id }) => id === question.rom)?.config ?? null;
  const [stored, storePalette] = useLocalStorage<PaletteName>({
    key: "diorama.palette",
    defaultValue: "grey",
    getInitialValueInEffect: false,
  });
  const palette = isPalette(stored) ? stored : "grey";
  const [selected, setSelected] = useState<number | null>(null);
  const wall = useWall(descriptor.world, question, config);
  const { store, select } = wall;
  const layout = useMemo(() => (store === null ? null : layOut(store.opening.copies, store.opening, ASPECT)), [store]);
  const choose = useCallback(
    (lane: number) => {
      setSelected(lane);
      select(lane);
    },
    [select],
  );
  const ask = (next: WallQuestion) => {
    setSelected(null);
    go(wallAddress(descriptor.world, next), { replace: true });
  };
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Title order={2} size="h3">
          Wall of copies
        </Title>
        <WallControls
          descriptor={descriptor}
          games={games}
          question={question}
          palette={palette}
          isPaused={wall.isPaused}
          onAsk={ask}
          onPause={wall.togglePause}
          onPalette={storePalette}
        />
      </div>
      <div className={classes.layout}>
        <div className={`case ${classes.place}`}>
          {store !== null && layout !== null ? (
            <WallCanvas store={store} layout={layout} palette={palette} selected={selected} onSelect={choose} />
          ) : (
            wall.end === null && <Loader role="status" aria-label="Opening the wall" />
          )}
          {wall.end !== null && (
            <div className={classes.cover} role="alert">
              <p>{wall.end}</p>
              <Button onClick={wall.reopen}>Try again</Button>
            </div>
          )}
        </div>
        {store !== null && (
          <aside className={classes.side} aria-label="Figures and copy">
            <WallNumbers descriptor={descriptor} opening={store.opening} figures={wall.figures} />
            <LanePanel
              descriptor={descriptor}
              scene={scene}
              copies={store.opening.copies}
              selected={selected}
              lane={wall.lane}
              palette={palette}
              onSelect={choose}
            />
          </aside>
        )}
      </div>
    </div>
  );
}
