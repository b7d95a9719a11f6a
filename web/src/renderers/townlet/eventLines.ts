import { eventTone } from "../events";
import type { EventLine, RenderState } from "../renderer";
import { asTownlet } from "./state";

/** Small things that would bury the others in a list. */
const MINOR = new Set(["ghost_step", "queue_interaction", "policy_guardrail_block", "rent_paid", "stock_replenish"]);

export function eventLines(state: RenderState): EventLine[] {
  return asTownlet(state).events.map(({ id, tick, kind, text }) => ({
    id,
    cause: null,
    tick,
    text,
    tone: eventTone(kind),
    isMinor: MINOR.has(kind),
  }));
}
