import { useEffect, useMemo, useState } from "react";
import type { SessionState } from "../../api/types";
import { Diary, type Past } from "../../renderers/diary";
import type { RenderState, WorldModule } from "../../renderers/renderer";
import { readMoments } from "./calls";

const NOTHING: Past = { notes: [], isWhole: false };

/**
 * What is remembered of the episode of a session, up to the present moment.
 *
 * Moments that this page has not seen, such as those before a fork, are asked for; those that were taken back are forgotten.
 */
export function useSessionPast({ noteOf }: WorldModule, state: SessionState): Past {
  const { session_id: session, seed } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another episode begins with nothing to remember
  const diary = useMemo(() => (noteOf === undefined ? null : new Diary(noteOf)), [noteOf, session, seed]);
  const [past, setPast] = useState(NOTHING);
  useEffect(() => {
    if (diary === null) {
      return;
    }
    const leaving = new AbortController();
    diary.cut(state.steps);
    diary.put(state.steps, state.render_state as RenderState);
    setPast(diary.upTo(state.steps));
    fillGaps(diary, state, leaving.signal)
      .then(() => leaving.signal.aborted || setPast(diary.upTo(state.steps)))
      // The panels say that earlier moments are missing; the next decision asks again.
      .catch(() => undefined);
    return () => leaving.abort();
  }, [diary, state]);
  return past;
}

/** Asks for the moments before the present one that are missing. */
export async function fillGaps(diary: Diary, state: SessionState, signal: AbortSignal): Promise<void> {
  while (diary.gap < state.steps && !signal.aborted) {
    const { first, count, render_states: moments } = await readMoments(state.session_id, diary.gap, signal);
    if (signal.aborted || count === 0) {
      return;
    }
    for (const [place, moment] of moments.entries()) {
      if (first + place < state.steps && !diary.has(first + place)) {
        diary.put(first + place, moment as RenderState);
      }
    }
  }
}
