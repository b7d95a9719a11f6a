import { formatWholePercent } from "../../shared/format";
import type { ActionText, RenderState } from "../renderer";
import { oneDecimal, whole } from "./format";
import { asProspector, COMMODITY_TITLES, isDocked, likeliestCommodity, type ProspectorState, quoteOf } from "./state";
import { placeName } from "./words";

const FIXED: Readonly<Record<string, ActionText>> = {
  HOLD_DRIFT: { title: "Hold and drift", detail: "Wait one tick: the ship cools and draws less attention." },
  EMERGENCY_BURN: { title: "Emergency burn", detail: "Burn fuel to shake off pirates for a few ticks. Loud." },
  WIDE_SCAN: { title: "Wide scan", detail: "A rough look at every rock here." },
  FOCUSED_SCAN_SELECTED: { title: "Focused scan", detail: "A better look at the selected rock." },
  DEEP_SCAN_SELECTED: { title: "Deep scan", detail: "Nearly the truth about the selected rock; slow and loud." },
  PASSIVE_THREAT_LISTEN: { title: "Listen for threats", detail: "Learn how dangerous the ways out are." },
  MINE_CONSERVATIVE_SELECTED: {
    title: "Mine gently",
    detail: "Low yield, little heat and wear, rarely shatters the rock.",
  },
  MINE_STANDARD_SELECTED: { title: "Mine", detail: "Fair yield; watch heat and tool." },
  MINE_AGGRESSIVE_SELECTED: { title: "Mine hard", detail: "High yield, hot, loud, and may shatter the rock." },
  STABILIZE_SELECTED: {
    title: "Stabilize rock",
    detail: "Spend a stabilizer so that the rock shatters less easily for a while.",
  },
  REFINE_ONBOARD: { title: "Refine metals", detail: "Turn some iron and nickel into rare isotopes. Makes heat." },
  ACTIVE_COOLDOWN: { title: "Cool down", detail: "Spend a little fuel to shed a lot of heat." },
  TOOL_MAINTENANCE: { title: "Repair tool", detail: "Spend a repair kit on the drill." },
  HULL_PATCH: { title: "Patch hull", detail: "Spend a repair kit on the hull." },
  DOCK: { title: "Dock", detail: "Rest at the station: attention falls quickly." },
  BUY_FUEL_SMALL: { title: "Buy fuel, small", family: "Buy fuel", short: "Small", detail: "60 credits for 120 units." },
  BUY_FUEL_MED: {
    title: "Buy fuel, medium",
    family: "Buy fuel",
    short: "Medium",
    detail: "120 credits for 260 units.",
  },
  BUY_FUEL_LARGE: {
    title: "Buy fuel, large",
    family: "Buy fuel",
    short: "Large",
    detail: "210 credits for 480 units.",
  },
  BUY_REPAIR_KIT: { title: "Buy repair kit", detail: "150 credits." },
  BUY_STABILIZER: { title: "Buy stabilizer", detail: "175 credits." },
  BUY_DECOY: { title: "Buy decoy", detail: "110 credits. Pirates may take it instead of cargo." },
  FULL_REPAIR_OVERHAUL: { title: "Full overhaul", detail: "280 credits: hull and tool like new." },
  CASH_OUT_END_EPISODE: { title: "Cash out and stop", detail: "End the run here and keep what is banked." },
};

type Wording = (state: ProspectorState, match: RegExpMatchArray) => ActionText;

const PATTERNS: readonly (readonly [RegExp, Wording])[] = [
  [/^TRAVEL_NEIGHBOR_(\d+)$/, travel],
  [/^SELECT_ASTEROID_(\d+)$/, select],
  [/^JETTISON_COMMODITY_(\d+)$/, jettison],
  [/^SELL_COMMODITY_(\d+)_(\d+)PCT$/, sell],
];

/** Returns what an action means right now, in a pilot's words. */
export function actionText(label: string, state: RenderState): ActionText {
  const fixed = FIXED[label];
  if (fixed !== undefined) {
    return fixed;
  }
  for (const [pattern, wording] of PATTERNS) {
    const match = label.match(pattern);
    if (match !== null) {
      return wording(asProspector(state), match);
    }
  }
  return { title: label, detail: "" };
}

function travel(state: ProspectorState, match: RegExpMatchArray): ActionText {
  const way = state.neighbors.find((neighbor) => neighbor.slot === Number(match[1]));
  if (way === undefined) {
    return {
      title: `Way ${match[1]}`,
      detail: "No way leads out here.",
      family: "Travel",
      short: `${match[1]} · no way`,
    };
  }
  const place = placeName(way.type, way.node);
  return {
    title: `Travel to ${place.charAt(0).toLowerCase()}${place.slice(1)}`,
    family: "Travel",
    short: `${way.slot} · ${place}`,
    detail: `${way.travel_time} ticks, ${whole(way.fuel_cost)} fuel with an empty hold, threat ${formatWholePercent(way.threat_est)}`,
  };
}

function select(state: ProspectorState, match: RegExpMatchArray): ActionText {
  const rock = state.asteroids.find((asteroid) => asteroid.slot === Number(match[1]));
  if (rock === undefined) {
    return {
      title: `Select rock ${match[1]}`,
      detail: "There is no rock in this slot.",
      family: "Select rock",
      short: `${match[1]}`,
    };
  }
  const best = likeliestCommodity(rock);
  return {
    title: `Select rock ${rock.slot}`,
    family: "Select rock",
    short: `${rock.slot}`,
    detail: `Seems mostly ${COMMODITY_TITLES[best]?.toLowerCase()} (${formatWholePercent(rock.comp_est[best] ?? 0)}), known ${formatWholePercent(rock.scan_conf)}, left ${formatWholePercent(1 - rock.depletion)}`,
  };
}

function jettison(state: ProspectorState, match: RegExpMatchArray): ActionText {
  const commodity = Number(match[1]);
  const name = COMMODITY_TITLES[commodity] ?? `commodity ${commodity}`;
  return {
    title: `Dump ${name.toLowerCase()}`,
    family: "Dump overboard",
    short: name,
    detail: `Throw ${oneDecimal(state.ship.cargo[commodity] ?? 0)} units overboard to draw less attention.`,
  };
}

function sell(state: ProspectorState, match: RegExpMatchArray): ActionText {
  const [commodity, percent] = [Number(match[1]), Number(match[2])];
  const name = COMMODITY_TITLES[commodity] ?? `commodity ${commodity}`;
  const quote = quoteOf(state, commodity, percent);
  return {
    title: `Sell ${name.toLowerCase()} ${percent}%`,
    family: `Sell ${name.toLowerCase()}`,
    short: quote !== undefined && isDocked(state) ? `${percent}% · ${whole(quote.revenue)}` : `${percent}%`,
    detail: saleDetail(state, commodity, percent),
  };
}

function saleDetail(state: ProspectorState, commodity: number, percent: number): string {
  const units = ((state.ship.cargo[commodity] ?? 0) * percent) / 100;
  const price = whole(state.market.price[commodity] ?? 0);
  const quote = quoteOf(state, commodity, percent);
  if (quote === undefined) {
    return `${oneDecimal(units)} units at ${price} credits, less what a large sale does to the price.`;
  }
  const revenue = `${whole(quote.revenue)} credits: ${price} each, less ${formatWholePercent(quote.slippage)}`;
  return `${oneDecimal(quote.units)} units ${isDocked(state) ? "bring" : "would bring"} ${revenue} because of the size of the sale.`;
}
