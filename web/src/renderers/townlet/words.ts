import { capitalize } from "../../shared/capitalize";
import { type CitizenState, doingOf, type TownletState } from "./state";

const MINUTES_PER_DAY = 24 * 60;

/** What an option is called, and what somebody does who has set out for it. */
export const OPTIONS: Readonly<Record<string, { title: string; doing: string }>> = {
  Idle: { title: "Stay at home", doing: "takes it easy" },
  GetFed: { title: "Get a meal", doing: "is after a meal" },
  GetClean: { title: "Take a shower", doing: "is after a shower" },
  GoToWork: { title: "Go to work", doing: "is at or on the way to work" },
  ShopGroceries: { title: "Shop and cook", doing: "sees to groceries" },
  Sleep: { title: "Go to bed", doing: "is off to bed" },
  Socialise: { title: "Meet people", doing: "looks for company" },
  AvoidRivals: { title: "Avoid rivals", doing: "keeps away from a rival" },
};

const DOING: Readonly<Record<string, string>> = {
  use_shower: "takes a shower",
  eat_meal: "eats",
  cook_meal: "cooks",
  rest_sleep: "sleeps",
  buy_groceries: "buys groceries",
  sit_bench: "sits on a bench",
};

/** What somebody does who is led step by step. */
const STEPS: Readonly<Record<string, string>> = {
  Wait: "stands and waits",
  MoveNorth: "walks north",
  MoveEast: "walks east",
  MoveSouth: "walks south",
  MoveWest: "walks west",
  Release: "lets go",
  Talk: "talks to somebody",
  Yield: "gives way",
};

/** What a need is called that is filled the more the better somebody is off. */
export const NEED_WORDS = {
  hunger: { label: "Fed", hint: "A meal fills it; near zero somebody faints." },
  hygiene: { label: "Clean", hint: "A shower fills it, cooking takes a little." },
  energy: { label: "Rested", hint: "Sleep fills it." },
} as const;

const SHIFTS: Readonly<Record<string, string>> = {
  none: "No shift today",
  pre_shift: "Shift not begun",
  await_start: "Shift about to begin",
  on_time: "At work on time",
  late: "Late for work",
  absent: "Missed the shift",
  post_shift: "Shift done",
};

const PRICES: Readonly<Record<string, string>> = {
  meal_cost: "Meals",
  ingredients_cost: "Groceries",
  shower_cost: "Showers",
  rent_per_day: "Rent",
};

export const REWARD_TERMS: Readonly<Record<string, string>> = {
  survival: "Being there",
  needs_penalty: "Needs unmet",
  shaping: "Needs getting better",
  wage: "Wage",
  punctuality: "Punctuality",
  social_bonus: "Good company",
  social_penalty: "Bad company",
  social_avoidance: "Quarrels avoided",
  curiosity: "Curiosity",
  terminal_penalty: "Leaving town",
  clip_adjustment: "Cut to limits",
};

const ITEMS: Readonly<Record<string, readonly [string, string]>> = {
  meals: ["meal", "meals"],
  groceries: ["bag of groceries", "bags of groceries"],
  food_raw: ["raw meal", "raw meals"],
};

/** Returns what somebody carries: 1 raw meal; what a town has made up itself, without guessing its plural: 3 × lamp. */
export function itemWords(item: string, count: number): string {
  const [one, many] = ITEMS[item] ?? [`× ${item.replaceAll("_", " ")}`, `× ${item.replaceAll("_", " ")}`];
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns `home_1` as Home 1. */
export function placeName(id: string): string {
  return capitalize(id.replaceAll("_", " "));
}

/** Returns what a place is called within a sentence: home 1, the cafe. */
export function inSentence(id: string): string {
  const words = id.replaceAll("_", " ");
  return /\d/.test(words) ? words : `the ${words}`;
}

/** Returns a time of day as a clock shows it. */
export function clock(tod: number, ticksPerDay: number): string {
  const minutes = Math.floor((tod * MINUTES_PER_DAY) / ticksPerDay);
  return `${`${Math.floor(minutes / 60)}`.padStart(2, "0")}:${`${minutes % 60}`.padStart(2, "0")}`;
}

export function priceName(key: string): string {
  return PRICES[key] ?? placeName(key);
}

export function shiftWords(shift: string): string {
  return SHIFTS[shift] ?? placeName(shift);
}

/** What somebody does with an object: eats, takes a shower. */
export function doingWords(doing: string): string {
  return DOING[doing] ?? `is busy with ${doing.replaceAll("_", " ")}`;
}

/** What somebody is about, without the name: eats, waits for the shower. */
export function aboutWords(state: TownletState, citizen: CitizenState): string {
  const doing = doingOf(state, citizen);
  if (doing !== null) {
    return doingWords(doing);
  }
  const waits = citizen.waits === null ? undefined : state.map.objects[citizen.waits];
  if (waits !== undefined) {
    return `waits for the ${waits[1]}`;
  }
  if (state.action_level === "primitive") {
    return citizen.succeeded ? (STEPS[citizen.did] ?? "asks for a turn") : "is held up";
  }
  const isAtWork = citizen.option === "GoToWork" && zoneOf(state, citizen) === state.map.jobs[citizen.job ?? -1]?.[1];
  return isAtWork ? "is at work" : (OPTIONS[citizen.option]?.doing ?? citizen.option);
}

/** Returns the zone somebody stands in, -1 for the street. */
export function zoneOf(state: TownletState, { at: [x, y] }: Pick<CitizenState, "at">): number {
  return state.map.zones.findIndex(({ rect: [x0, y0, x1, y1] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1);
}

export function coins(amount: number): string {
  return `${amount.toFixed(2)} coins`;
}
