import type { RenderState, Suggestion } from "../renderer";
import { actionText } from "./actionText";
import { asMorphogenesis } from "./state";
import { blueprintName } from "./words";

const WAIT = "op.WAIT";

/** What the rule-based controller would decide: the operation, and the options that belong to it. */
export function suggest(state: RenderState, isOpen: (key: string) => boolean): Suggestion[] {
  const { choice, why } = asMorphogenesis(state).advice;
  const { op = "WAIT", ...rest } = choice;
  const key = `op.${op}`;
  const also = Object.entries(rest).map(([head, option]) => `${head}.${option}`);
  const what = rest.blueprint === undefined ? "" : ` ${blueprintName(rest.blueprint).toLowerCase()}`;
  const where = rest.slot === undefined ? "" : `${what === "" ? ":" : " in"} ${rest.slot}`;
  const advised = { key, why, also, title: `${actionText(key, state).title}${what}${where}` };
  const waiting = { key: WAIT, why: "Let an epoch pass." };
  return [...(isOpen(key) ? [advised] : []), ...(key === WAIT ? [] : [waiting])];
}
