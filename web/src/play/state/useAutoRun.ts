import { useEffect, useState } from "react";
import type { SessionState } from "../../api/types";

export interface AutoRun {
  isRunning: boolean;
  stepsPerSecond: number;
  toggle: () => void;
  stop: () => void;
  setSpeed: (stepsPerSecond: number) => void;
}

/** Whether an action may be repeated once more: the episode goes on and the mask allows it. */
export function mayRepeat(state: SessionState | null, action: number | null): boolean {
  return state !== null && action !== null && !state.is_over && state.action_mask[action] === 1;
}

/** Repeats an action one to ten times a second until it is closed, the episode ends or somebody stops it. */
export function useAutoRun(
  state: SessionState | null,
  action: number | null,
  isBusy: boolean,
  step: (action: number) => void,
): AutoRun {
  const [isRunning, setRunning] = useState(false);
  const [stepsPerSecond, setSpeed] = useState(4);
  const canRepeat = mayRepeat(state, action);

  useEffect(() => {
    if (!isRunning || isBusy) {
      return;
    }
    if (!canRepeat || action === null) {
      setRunning(false);
      return;
    }
    const timer = window.setTimeout(() => step(action), 1000 / stepsPerSecond);
    return () => window.clearTimeout(timer);
  }, [isRunning, isBusy, canRepeat, action, stepsPerSecond, step]);

  return {
    isRunning,
    stepsPerSecond,
    toggle: () => setRunning((was) => !was),
    stop: () => setRunning(false),
    setSpeed,
  };
}
