import type { RenderState } from "../renderer";

export const COMMODITIES = ["iron", "nickel", "water_ice", "pge", "rare_isotopes", "volatiles"] as const;
export const COMMODITY_TITLES = [
  "Iron",
  "Nickel",
  "Water ice",
  "Platinum group",
  "Rare isotopes",
  "Volatiles",
] as const;

export type NodeType = "station" | "cluster" | "hazard";

export interface ShipState {
  fuel: number;
  hull: number;
  heat: number;
  tool: number;
  alert: number;
  cargo: readonly number[];
  cargo_total: number;
  repair_kits: number;
  stabilizers: number;
  decoys: number;
  escape_ticks: number;
}

export interface AsteroidState {
  slot: number;
  comp_est: readonly number[];
  stability_est: number;
  depletion: number;
  scan_conf: number;
  selected: boolean;
  stabilize_ticks: number;
}

export interface NeighborState {
  slot: number;
  node: number;
  type: NodeType;
  travel_time: number;
  fuel_cost: number;
  threat_est: number;
}

export const SELL_PERCENTS = [25, 50, 100] as const;

/** What selling a share of a good in the hold brings at the present market. */
export interface SaleQuote {
  commodity: number;
  percent: number;
  units: number;
  /** Share of the price that is lost because the sale is large. */
  slippage: number;
  /** Credits, by the rules. */
  revenue: number;
}

/** The render state of this world, schema version 1. */
export interface ProspectorState extends RenderState {
  credits: number;
  net_profit: number;
  survival: number;
  node_context: string;
  ship: ShipState;
  node: { index: number; type: NodeType; steps_to_station: number };
  neighbors: readonly NeighborState[];
  asteroids: readonly AsteroidState[];
  market: { price: readonly number[]; delta: readonly number[]; inventory: readonly number[] };
  /** Credits for every share of `SELL_PERCENTS` of a good in the hold; replays of earlier versions lack them. */
  sale_quotes?: readonly { commodity: number; revenue: readonly number[] }[];
}

const SCHEMA_VERSION = 1;

/** Reads a render state as this world's. Throws on another schema version, so that nothing is drawn wrongly. */
export function asProspector(state: RenderState): ProspectorState {
  if (state.schema_version !== SCHEMA_VERSION) {
    throw new Error(`render schema ${state.schema_version} is not the ${SCHEMA_VERSION} this picture knows`);
  }
  return state as ProspectorState;
}

export function isAtStation(state: ProspectorState): boolean {
  return state.node.type === "station";
}

export function isAlive(state: ProspectorState): boolean {
  return state.survival >= 1;
}

/** Whether the ship rests at the station; one that was lost on its way in does not. */
export function isDocked(state: ProspectorState): boolean {
  return isAtStation(state) && isAlive(state);
}

/** Returns what every sale of what is in the hold brings; nothing where the state does not say. */
export function quotesOf(state: ProspectorState): SaleQuote[] {
  return (state.sale_quotes ?? []).flatMap(({ commodity, revenue: revenues }) =>
    SELL_PERCENTS.map((percent, portion) => {
      const units = ((state.ship.cargo[commodity] ?? 0) * percent) / 100;
      const worth = units * (state.market.price[commodity] ?? 0);
      const revenue = revenues[portion] ?? 0;
      return { commodity, percent, units, revenue, slippage: worth > 0 ? Math.max(0, 1 - revenue / worth) : 0 };
    }),
  );
}

export function quoteOf(state: ProspectorState, commodity: number, percent: number): SaleQuote | undefined {
  return quotesOf(state).find((quote) => quote.commodity === commodity && quote.percent === percent);
}

/** Returns the commodity an asteroid is believed to hold most of. */
export function likeliestCommodity(asteroid: AsteroidState): number {
  return asteroid.comp_est.reduce((best, share, index, all) => (share > (all[best] ?? 0) ? index : best), 0);
}
