import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { type ReplayRef, watchAddress } from "./deepLink";
import type { FrameStore } from "./FrameStore";
import type { PlaybackAction } from "./usePlayback";

const WRITE_EVERY_MS = 600;

interface Link {
  ref: ReplayRef;
  compare: ReplayRef | null;
  linkedTick: number | null;
  store: FrameStore | null;
  /** The frame on screen and its simulated time; null while it is not there. */
  shown: { index: number; t: number } | null;
  dispatch: (action: PlaybackAction) => void;
}

/** Where the address and the screen last agreed; another tick in the address comes from outside. */
interface Agreement {
  /** The replay, not its store: a store that is made anew for another transport shows the same moment. */
  ref: ReplayRef;
  tick: number;
  /** Null while the frame of the tick is still looked for. */
  index: number | null;
}

/** Opens a replay at the moment its address names and keeps the address at the moment on screen. */
export function useDeepLink({ ref, compare, linkedTick, store, shown, dispatch }: Link): void {
  const [, go] = useLocation();
  const agreed = useRef<Agreement | null>(null);
  const latest = useRef(shown);
  latest.current = shown;

  // Frames around the place of the last replay would be loaded in vain.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another replay starts over
  useEffect(() => dispatch({ type: "open", index: 0 }), [ref]);

  useEffect(() => {
    const tick = linkedTick ?? 0;
    const known = agreed.current;
    if (store === null || (known !== null && known.ref === ref && known.tick === tick)) {
      return;
    }
    const opening: Agreement = { ref, tick, index: null };
    agreed.current = opening;
    const abort = new AbortController();
    const open = (index: number) => {
      if (!abort.signal.aborted) {
        opening.index = index;
        dispatch({ type: "open", index });
      }
    };
    store.frameAtTick(tick, abort.signal).then(open, () => open(0));
    return () => {
      abort.abort();
      if (opening.index === null && agreed.current === opening) {
        agreed.current = null;
      }
    };
  }, [ref, store, linkedTick, dispatch]);

  useEffect(() => {
    const timer = window.setInterval(() => {
      const [known, now] = [agreed.current, latest.current];
      if (known !== null && known.ref === ref && known.index !== null && now !== null && known.index !== now.index) {
        agreed.current = { ref, tick: now.t, index: now.index };
        go(watchAddress(ref, now.t, compare), { replace: true });
      }
    }, WRITE_EVERY_MS);
    return () => window.clearInterval(timer);
  }, [ref, compare, go]);
}
