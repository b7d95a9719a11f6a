import { useReducedMotion } from "@mantine/hooks";
import { useMemo } from "react";
import { decisionOf, newOptions } from "../../renderers/decisions";
import type { Head, Pixels, RenderState } from "../../renderers/renderer";
import type { Session } from "./sessionReducer";

/** The present moment of a session and what led to it, as pictures and sounds take them. */
export function useMoment(
  { state, previous }: Extract<Session, { status: "open" }>,
  heads: readonly Head[],
  { pixels, subject }: { pixels: readonly Pixels[] | undefined; subject: string | null },
) {
  const reducedMotion = useReducedMotion();
  const render = state.render_state as RenderState;
  const before = previous === null ? undefined : (previous.render_state as RenderState);
  const options = useMemo(
    () => newOptions(heads, decisionOf(heads, state.action), decisionOf(heads, previous?.action ?? null)),
    [heads, state, previous],
  );
  const view = useMemo(
    () => ({
      state: render,
      frame: { options, events: state.events, event_data: state.event_data },
      previous: before,
      pixels,
      subject,
      reducedMotion,
    }),
    [render, options, state, before, pixels, subject, reducedMotion],
  );
  return { render, before, options, view };
}
