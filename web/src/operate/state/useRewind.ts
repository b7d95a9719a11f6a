import { useCallback, useEffect, useMemo, useState } from "react";
import type { LiveView } from "./LiveStore";
import { Rewind } from "./rewind";

const VIEWS_KEPT = 600;
/** How long a moment is shown when the past is played at single speed. */
const MOMENT_MS = 250;

export interface Rewinding {
  /** What is shown: the present, or the moment that was looked back to. */
  shown: LiveView | null;
  /** How many moments can be looked at, and which one is; the last one is the present. */
  length: number;
  index: number;
  isLive: boolean;
  /** How fast the past is played; 0 while a moment is held. */
  pace: number;
  play: (pace: number) => void;
  lookAt: (index: number) => void;
  lookAtTick: (tick: number) => void;
  goLive: () => void;
}

/** Lets the page look back at what it has seen, while the world goes on. */
export function useRewind(view: LiveView | null): Rewinding {
  const rewind = useMemo(() => new Rewind(VIEWS_KEPT), []);
  const [held, setHeld] = useState<LiveView | null>(null);
  useEffect(() => {
    if (view !== null) {
      rewind.add(view);
    }
  }, [rewind, view]);
  const [pace, setPace] = useState(0);
  const lookAt = useCallback(
    (index: number) => {
      const moment = index >= rewind.length - 1 ? null : (rewind.at(index) ?? null);
      setHeld(moment);
      if (moment === null) {
        setPace(0); // whoever looks back next looks at a moment that stands still
      }
    },
    [rewind],
  );
  useEffect(() => {
    if (held === null || pace === 0) {
      return;
    }
    const timer = setTimeout(() => lookAt(rewind.indexOfTick(held.tick) + 1), MOMENT_MS / pace);
    return () => clearTimeout(timer);
  }, [rewind, held, pace, lookAt]);
  return {
    shown: held ?? view,
    length: rewind.length,
    index: held === null ? Math.max(0, rewind.length - 1) : rewind.indexOfTick(held.tick),
    isLive: held === null,
    pace,
    play: setPace,
    lookAt,
    lookAtTick: (tick) => lookAt(rewind.indexOfTick(tick)),
    goLive: () => lookAt(rewind.length),
  };
}
