import { formatWholePercent } from "../../shared/format";
import type { RenderState } from "../renderer";
import { whole } from "./format";
import { type AsteroidState, asProspector, isDocked, type ProspectorState, quotesOf, type SaleQuote } from "./state";

export interface Suggestion {
  key: string;
  why: string;
}

const MANY = 3;
const [HALF, ALL] = [50, 100];
/** Credits; what brings less is not worth a tick. */
const WORTH_SELLING = 1;
/** Credits that two portions bring more than one sale, for which they are worth another tick. */
const WORTH_PORTIONS = 20;
const HOLD_FULL = 200;
const KNOWN_ENOUGH = 0.3;
const BRITTLE = 0.35;

/** Points a newcomer at sensible next actions; advice only, the server alone knows the rules. */
export function suggest(state: RenderState, isOpen: (key: string) => boolean): Suggestion[] {
  const now = asProspector(state);
  const ideas = isDocked(now) ? atStation(now) : inField(now);
  return ideas.filter((idea) => isOpen(idea.key)).slice(0, MANY);
}

function atStation(state: ProspectorState): Suggestion[] {
  const { ship } = state;
  const upkeep: Suggestion[] = [
    ...(ship.hull < 60 || ship.tool < 50 ? [{ key: "FULL_REPAIR_OVERHAUL", why: "Hull or tool is worn." }] : []),
    ...(ship.fuel < 700 ? [{ key: "BUY_FUEL_MED", why: "Take on fuel before leaving." }] : []),
  ];
  return [...sales(state), ...upkeep, ...outward(state)];
}

/** One sale per good, the dearest first: all of it where portions would gain little, else the first portion. */
function sales(state: ProspectorState): Suggestion[] {
  const quotes = quotesOf(state);
  return quotes
    .filter(({ percent, revenue }) => percent === ALL && revenue > WORTH_SELLING)
    .toSorted((one, other) => other.revenue - one.revenue)
    .map((all) => {
      const half = quotes.find(({ commodity, percent }) => commodity === all.commodity && percent === HALF);
      return half !== undefined && 2 * half.revenue - all.revenue >= WORTH_PORTIONS ? portion(half, all) : wholly(all);
    });
}

function portion(half: SaleQuote, all: SaleQuote): Suggestion {
  const [less, more] = [formatWholePercent(half.slippage), formatWholePercent(all.slippage)];
  return { key: saleKey(half), why: `Half of it loses ${less} to the size of the sale, all at once ${more}.` };
}

function wholly(all: SaleQuote): Suggestion {
  return { key: saleKey(all), why: `Brings ${whole(all.revenue)} credits; portions would gain little.` };
}

function saleKey({ commodity, percent }: SaleQuote): string {
  return `SELL_COMMODITY_${commodity}_${percent}PCT`;
}

function inField(state: ProspectorState): Suggestion[] {
  const { ship } = state;
  const home = state.neighbors.find((neighbor) => neighbor.type === "station");
  const urgent: Suggestion[] = [
    ...(ship.heat > 65
      ? [{ key: "ACTIVE_COOLDOWN", why: "Above 70 the drill loses power, above 100 the hull burns." }]
      : []),
    ...(ship.hull < 45 ? [{ key: "HULL_PATCH", why: "The hull is thin." }] : []),
    ...(ship.tool < 35 ? [{ key: "TOOL_MAINTENANCE", why: "The drill is worn." }] : []),
  ];
  const reason = reasonToReturn(state);
  if (home !== undefined && reason !== null) {
    return [...urgent, { key: `TRAVEL_NEIGHBOR_${home.slot}`, why: reason }];
  }
  return [...urgent, ...digging(state)];
}

function reasonToReturn({ ship }: ProspectorState): string | null {
  const reasons: readonly (readonly [boolean, string])[] = [
    [ship.hull < 40, "Home is next door, and the hull does not take much more."],
    [ship.fuel < 300, "Home is next door, and fuel runs low."],
    [ship.alert > 75, "Pirates gather; at the station there are none."],
    [ship.cargo_total > 60, "Time to bring the cargo home."],
  ];
  return reasons.find(([isSo]) => isSo)?.[1] ?? null;
}

function digging(state: ProspectorState): Suggestion[] {
  const rocks = state.asteroids.filter((asteroid) => asteroid.depletion < 1);
  const selected = rocks.find((asteroid) => asteroid.selected);
  if (state.ship.cargo_total >= HOLD_FULL) {
    return [];
  }
  if (selected !== undefined) {
    return onRock(selected);
  }
  if (rocks.every((asteroid) => asteroid.scan_conf < 0.18)) {
    return [{ key: "WIDE_SCAN", why: "Nothing is known about these rocks yet." }, ...bestRocks(state, rocks, 1)];
  }
  return bestRocks(state, rocks, 2);
}

function onRock(rock: AsteroidState): Suggestion[] {
  if (rock.scan_conf < KNOWN_ENOUGH) {
    return [{ key: "FOCUSED_SCAN_SELECTED", why: "Little is known about this rock yet." }];
  }
  if (rock.stability_est < BRITTLE && rock.stabilize_ticks === 0) {
    return [
      { key: "STABILIZE_SELECTED", why: "This rock seems brittle." },
      { key: "MINE_CONSERVATIVE_SELECTED", why: "A brittle rock rarely shatters when it is mined gently." },
    ];
  }
  return [{ key: "MINE_STANDARD_SELECTED", why: "Dig the selected rock." }];
}

function bestRocks(state: ProspectorState, rocks: readonly AsteroidState[], count: number): Suggestion[] {
  const value = (rock: AsteroidState) =>
    rock.comp_est.reduce((sum, share, commodity) => sum + share * (state.market.price[commodity] ?? 0), 0) *
    (1 - rock.depletion);
  return [...rocks]
    .sort((a, b) => value(b) - value(a))
    .slice(0, count)
    .map((rock) => ({ key: `SELECT_ASTEROID_${rock.slot}`, why: "Looks valuable, going by what is known." }));
}

function outward(state: ProspectorState): Suggestion[] {
  return [...state.neighbors]
    .filter((neighbor) => neighbor.type === "cluster")
    .sort((a, b) => a.threat_est - b.threat_est || a.travel_time - b.travel_time)
    .slice(0, 2)
    .map((neighbor) => ({ key: `TRAVEL_NEIGHBOR_${neighbor.slot}`, why: "Fly out to the rocks." }));
}
