import { useEffect, useRef } from "react";
import type { Sound } from "../../renderers/sound/useSound";
import type { Session } from "./sessionReducer";

/** Plays every step once, when it has come; an opening is silent. */
export function useStepSound(
  sound: Sound,
  { state, previous }: Extract<Session, { status: "open" }>,
  options: readonly number[],
): void {
  const heard = useRef(state);
  useEffect(() => {
    if (state !== heard.current) {
      heard.current = state;
      if (previous !== null) {
        sound.board?.playStep(options, state.events);
      }
    }
  }, [state, previous, options, sound.board]);
}
