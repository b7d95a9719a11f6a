import type { RenderState } from "../renderer";
import { type AsteroidState, asProspector, isDocked, type ProspectorState } from "./state";

export interface Suggestion {
  key: string;
  why: string;
}

const MANY = 3;

/** Points a newcomer at sensible next actions; advice only, the server alone knows the rules. */
export function suggest(state: RenderState, isOpen: (key: string) => boolean): Suggestion[] {
  const now = asProspector(state);
  const ideas = isDocked(now) ? atStation(now) : inField(now);
  return ideas.filter((idea) => isOpen(idea.key)).slice(0, MANY);
}

function atStation(state: ProspectorState): Suggestion[] {
  const { ship, market } = state;
  const worth = ship.cargo.map((units, commodity) => ({ commodity, value: units * (market.price[commodity] ?? 0) }));
  const sales = worth
    .filter(({ value }) => value > 1)
    .sort((a, b) => b.value - a.value)
    .map(({ commodity, value }) => ({
      key: `SELL_COMMODITY_${commodity}_${value > 1500 ? 50 : 100}PCT`,
      why: "Turn cargo into credits; large amounts sell better in portions.",
    }));
  const upkeep: Suggestion[] = [
    ...(ship.hull < 60 || ship.tool < 50 ? [{ key: "FULL_REPAIR_OVERHAUL", why: "Hull or tool is worn." }] : []),
    ...(ship.fuel < 700 ? [{ key: "BUY_FUEL_MED", why: "Fill the tank before leaving." }] : []),
  ];
  return [...sales, ...upkeep, ...outward(state)];
}

function inField(state: ProspectorState): Suggestion[] {
  const { ship } = state;
  const home = state.neighbors.find((neighbor) => neighbor.type === "station");
  const goHome = home === undefined ? [] : [`TRAVEL_NEIGHBOR_${home.slot}`];
  const urgent: Suggestion[] = [
    ...(ship.heat > 65 ? [{ key: "ACTIVE_COOLDOWN", why: "Heat slows the drill and burns the hull." }] : []),
    ...(ship.hull < 45 ? [{ key: "HULL_PATCH", why: "The hull is thin." }] : []),
    ...(ship.tool < 35 ? [{ key: "TOOL_MAINTENANCE", why: "The drill is worn." }] : []),
  ];
  const shouldReturn = ship.cargo_total > 60 || ship.fuel < 300 || ship.hull < 40 || ship.alert > 75;
  const leave = shouldReturn ? goHome.map((key) => ({ key, why: "Time to bring the cargo home." })) : [];
  return [...urgent, ...leave, ...digging(state)];
}

function digging(state: ProspectorState): Suggestion[] {
  const rocks = state.asteroids.filter((asteroid) => asteroid.depletion < 1);
  const selected = rocks.find((asteroid) => asteroid.selected);
  if (selected !== undefined) {
    const steady = { key: "STABILIZE_SELECTED", why: "This rock seems brittle." };
    return [
      ...(selected.stability_est < 0.35 && selected.stabilize_ticks === 0 ? [steady] : []),
      { key: "MINE_STANDARD_SELECTED", why: "Dig the selected rock." },
      { key: "FOCUSED_SCAN_SELECTED", why: "Learn what is in it first." },
    ];
  }
  if (rocks.every((asteroid) => asteroid.scan_conf < 0.18)) {
    return [{ key: "WIDE_SCAN", why: "Nothing is known about these rocks yet." }, ...bestRocks(state, rocks, 1)];
  }
  return bestRocks(state, rocks, 2);
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
