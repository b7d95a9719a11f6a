import { Button } from "@mantine/core";
import { Gamepad2, Settings2, X } from "lucide-react";
import { type ReactNode, useCallback } from "react";
import { useLocation } from "wouter";
import type { ReplayEntry } from "../../api/types";
import { WallLink } from "../../wall/components/WallLink";
import { type ReplayRef, runAddress, watchAddress } from "../state/deepLink";
import type { Selection } from "../state/useSelection";
import { ComparePicker } from "./ComparePicker";
import { Pickers } from "./Pickers";
import classes from "./Theater.module.css";

interface Props {
  selection: Selection;
  replayRef: ReplayRef;
  /** The replays that may be chosen. */
  listed: readonly ReplayEntry[];
  current: ReplayEntry | undefined;
  world: string;
  /** Simulated time on screen. */
  tick: number;
  live: ReactNode;
  canTakeOver: boolean;
  isTakingOver: boolean;
  onTakeOver: () => void;
  onAdvanced: () => void;
}

/** Above the picture: which replay it is, and what can be done with it. */
export function TheaterBar({ selection, replayRef, listed, current, world, tick, live, ...over }: Props) {
  const [, go] = useLocation();
  const chooseRun = useCallback((run: string) => go(runAddress(run)), [go]);
  const chooseReplay = useCallback(
    (replay: string) => go(watchAddress({ run: replayRef.run, replay }, 0)),
    [go, replayRef.run],
  );
  return (
    <div className={classes.bar}>
      <Pickers
        runs={selection.runs}
        champions={selection.champions}
        runId={replayRef.run}
        replays={listed}
        replayId={replayRef.replay}
        onRun={chooseRun}
        onReplay={chooseReplay}
      />
      {live}
      <div className={classes.actions}>
        <Button
          leftSection={<Gamepad2 size={16} aria-hidden />}
          onClick={over.onTakeOver}
          loading={over.isTakingOver}
          disabled={!over.canTakeOver}
          title="Continue this replay yourself from the frame on screen (T)"
          data-testid="take-over"
        >
          Take over from here
        </Button>
        {selection.compare === null ? (
          <ComparePicker
            runs={selection.runs}
            current={current}
            onPick={(ref) => go(watchAddress(replayRef, tick, ref))}
          />
        ) : (
          <Button
            variant="default"
            leftSection={<X size={16} aria-hidden />}
            onClick={() => go(watchAddress(replayRef, tick))}
          >
            End comparison
          </Button>
        )}
        <Button variant="default" leftSection={<Settings2 size={16} aria-hidden />} onClick={over.onAdvanced}>
          Advanced
        </Button>
        <WallLink world={world} />
      </div>
    </div>
  );
}
