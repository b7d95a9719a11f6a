import { type CitizenState, doingOf, type TownletState } from "./state";

export type Mood = "happy" | "content" | "worried" | "miserable" | "asleep";

/** Needs below these make somebody worried, and miserable. */
const WORRIED = 0.45;
const MISERABLE = 0.2;
const HAPPY = 0.65;

/** How somebody feels, by the need that is worst off. */
export function moodOf(state: TownletState, citizen: CitizenState): Mood {
  if (doingOf(state, citizen) === "rest_sleep") {
    return "asleep";
  }
  const worst = Math.min(...citizen.needs);
  if (worst < MISERABLE) {
    return "miserable";
  }
  return worst < WORRIED ? "worried" : worst < HAPPY ? "content" : "happy";
}
