import { useCallback, useState } from "react";
import type { SessionState, WorldDescriptor } from "../../api/types";
import { TurnButtons } from "../components/TurnButtons";
import type { Controls } from "./controls";
import { useAutoRun } from "./useAutoRun";
import type { PlaySession } from "./usePlaySession";

interface Given {
  descriptor: WorldDescriptor;
  play: PlaySession;
  state: SessionState;
  isBusy: boolean;
  /** Says why an action is not possible, and whether it had to. */
  refuse: (action: number) => boolean;
  titleOf: (action: number) => string;
}

/** Decisions one after another: an action is done when it is chosen, and may be repeated. */
export function useTurnControls({ descriptor, play, state, isBusy, refuse, titleOf }: Given): Controls {
  const [selected, select] = useState<number | null>(null);
  const { step } = play;
  const act = useCallback(
    (action: number) => {
      if (!state.is_over && !isBusy && !refuse(action)) {
        select(action);
        step(action);
      }
    },
    [state.is_over, isBusy, refuse, step],
  );
  const auto = useAutoRun(state, selected, isBusy, step);
  const repeat = () => selected !== null && act(selected);
  return {
    chosen: new Set(selected === null ? [] : [selected]),
    act,
    select,
    follow: ([action]) => action !== undefined && act(action),
    isRunning: auto.isRunning,
    stop: auto.stop,
    buttons: (
      <TurnButtons
        canAct={!state.is_over}
        selectedTitle={selected === null ? null : titleOf(selected)}
        auto={auto}
        onStep={repeat}
        onHold={() => act(descriptor.action_heads[0]?.noop ?? 0)}
      />
    ),
    keys: [
      { key: "space", does: "Repeat the selected action", run: repeat },
      { key: "u", does: "Take back the last decision", run: () => play.undo(1) },
      { key: "a", does: "Auto-run on or off", run: auto.toggle },
    ],
  };
}
