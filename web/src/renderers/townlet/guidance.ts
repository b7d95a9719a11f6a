import { formatWholePercent } from "../../shared/format";
import type { RenderState } from "../renderer";
import { asTownlet, subjectOf, type TownletState } from "./state";

interface Suggestion {
  key: string;
  why: string;
}

/** Below these somebody should see to a need soon, and at once. */
const SOON = 0.5;
const AT_ONCE = 0.25;
const SERVES = [
  { key: "GetFed", lack: "Hungry" },
  { key: "GetClean", lack: "Dirty" },
  { key: "Sleep", lack: "Tired" },
] as const;
const MOST = 3;

/** What somebody who looks after a citizen would choose, best first; primitives are left to the player. */
export function suggest(state: RenderState, isOpen: (key: string) => boolean): Suggestion[] {
  const now = asTownlet(state);
  return now.action_level === "option"
    ? ideas(now)
        .filter(({ key }) => isOpen(key))
        .slice(0, MOST)
    : [];
}

function ideas(state: TownletState): Suggestion[] {
  const citizen = subjectOf(state, null);
  if (citizen === undefined) {
    return [];
  }
  const lacks = SERVES.map(({ key, lack }, place) => ({ key, lack, need: citizen.needs[place] ?? 1 }))
    .filter(({ need }) => need < SOON)
    .toSorted((one, other) => one.need - other.need);
  const tell = ({ key, lack, need }: (typeof lacks)[number]) => ({
    key,
    why: `${lack}: ${formatWholePercent(need)} left.`,
  });
  const job = citizen.job === null ? undefined : state.map.jobs[citizen.job];
  const isWorkTime = job !== undefined && state.tod >= job[2] - TRAVEL_TICKS && state.tod < job[3];
  return [
    { key: "AvoidRivals", why: "A rival is close." },
    ...lacks.filter(({ need }) => need < AT_ONCE).map(tell),
    ...(isWorkTime ? [{ key: "GoToWork", why: "The shift is on, or about to begin." }] : []),
    ...lacks.filter(({ need }) => need >= AT_ONCE).map(tell),
    ...((citizen.items.food_raw ?? 0) < 1 ? [{ key: "ShopGroceries", why: "Nothing to cook at home." }] : []),
    { key: "Socialise", why: "All is well; time for company." },
    { key: "Idle", why: "All is well; nothing needs doing." },
  ];
}

/** Long enough to walk across the town. */
const TRAVEL_TICKS = 60;
