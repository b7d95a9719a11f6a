import { capitalize } from "../../shared/capitalize";
import type { ActionText, RenderState } from "../renderer";
import { asTownlet, type CitizenState, type ObjectRow, subjectOf, type TownletState } from "./state";
import { clock, coins, OPTIONS } from "./words";

/** As far as a turn at an object can be asked for, in most towns. */
const REACH = 2;

const WAYS: Readonly<Record<string, { place: number; short: string }>> = {
  MoveWest: { place: 0, short: "←" },
  MoveNorth: { place: 1, short: "↑" },
  MoveSouth: { place: 2, short: "↓" },
  MoveEast: { place: 3, short: "→" },
};

const PRIMITIVES: Readonly<Record<string, ActionText>> = {
  Wait: { title: "Wait", detail: "Nothing for a tick." },
  Release: { title: "Let go", detail: "Stop what is being done, or give up a place in a queue." },
  Talk: { title: "Talk", detail: "To whoever stands beside and likes you best." },
  Yield: { title: "Give way", detail: "Let the next in the queue go first." },
};

/** A friendly name for an option or a primitive, as things are now. */
export function actionText(key: string, state: RenderState): ActionText {
  const now = asTownlet(state);
  const option = OPTIONS[key];
  if (option !== undefined) {
    return { title: option.title, detail: optionDetail(key, now) };
  }
  const way = WAYS[key];
  if (way !== undefined) {
    const words = key.replace("Move", "").toLowerCase();
    return { title: `Walk ${words}`, detail: `One tile ${words}.`, family: "Direction", ...way };
  }
  return key.startsWith("Interact")
    ? useText(Number(key.at(-1)), now)
    : (PRIMITIVES[key] ?? { title: key, detail: "" });
}

/** What an interaction is with: the object held, else waited for, else that whose place of use is nearest. */
function objectNear({ map }: TownletState, { holds, waits, at }: CitizenState): ObjectRow | undefined {
  const distance = ([, , , , , x, y]: ObjectRow) => Math.abs(x - at[0]) + Math.abs(y - at[1]);
  const taken = map.objects[holds ?? waits ?? -1];
  return taken ?? map.objects.filter((row) => distance(row) <= REACH).toSorted((a, b) => distance(a) - distance(b))[0];
}

function optionDetail(key: string, state: TownletState): string {
  const citizen = subjectOf(state, null);
  const price = (name: string) => coins(state.prices[name]?.[1] ?? 0);
  const job = citizen?.job === null || citizen === undefined ? undefined : state.map.jobs[citizen.job];
  switch (key) {
    case "GetFed":
      return `A meal from the own fridge, a cooked one, or one at the cafe for ${price("meal_cost")}.`;
    case "GetClean":
      return `Half a minute under a shower, for ${price("shower_cost")}.`;
    case "GoToWork": {
      const hours = job === undefined ? "" : [job[2], job[3]].map((tod) => clock(tod, state.ticks_per_day)).join("–");
      return job === undefined ? "Only with a job." : `As ${job[0]}, ${hours}. Paid by the minute one is there.`;
    }
    case "ShopGroceries":
      return `Two groceries for ${price("ingredients_cost")} each, or cooking what is at hand.`;
    case "Sleep":
      return "In the own bed, until rested.";
    case "Socialise":
      return "To the park by day, to the cafe else, and talk to whoever is there.";
    case "AvoidRivals":
      return "Step away from whoever is not on good terms.";
    default:
      return "Free to decide again at any time.";
  }
}

function useText(rank: number, state: TownletState): ActionText {
  const citizen = subjectOf(state, null);
  const object = citizen === undefined ? undefined : objectNear(state, citizen);
  const use = object === undefined ? undefined : state.map.uses[object[1]]?.[rank];
  const words = use?.replaceAll("_", " ");
  const title = words === undefined ? `Use ${rank + 1}` : capitalize(words);
  const called = object?.[1].replaceAll("_", " ") ?? "object in reach";
  return {
    title,
    detail: `Asks for the ${called}; with the turn, and in front of it, begins.`,
    isHiddenWhenClosed: rank > 0,
  };
}
