import type { RenderState } from "../renderer";
import {
  type AsteroidState,
  asProspector,
  isDocked,
  likeliestCommodity,
  type NeighborState,
  type NodeType,
} from "./state";

/** Rocks that were scanned less than this are as good as unknown. */
const SCANNED_FROM = 0.12;

/** The rocks of a place as the pilot last saw them. */
export interface RockNote {
  total: number;
  /** Not mined out. */
  left: number;
  /** What the best known of them seems to hold most of; null where nothing was scanned. */
  best: { commodity: number; known: number } | null;
}

/** What the pilot remembers of one moment: the market as it was heard, and the place as it was seen. */
export interface PilotNote {
  tick: number;
  isDocked: boolean;
  price: readonly number[];
  stock: readonly number[];
  node: number;
  type: NodeType;
  exits: readonly NeighborState[];
  rocks: RockNote;
}

/** A place of the belt as far as the pilot knows it. */
export interface Place {
  node: number;
  type: NodeType;
  /** Tick of the last moment there; null where it was only seen from next door. */
  seenAt: number | null;
  exits: readonly NeighborState[];
  rocks: RockNote | null;
}

export interface MarketMemory {
  tick: number;
  price: readonly number[];
  stock: readonly number[];
}

export function noteOf(state: RenderState): PilotNote {
  const now = asProspector(state);
  return {
    tick: now.time,
    isDocked: isDocked(now),
    price: now.market.price,
    stock: now.market.inventory,
    node: now.node.index,
    type: now.node.type,
    exits: now.neighbors,
    rocks: rocksOf(now.asteroids),
  };
}

function rocksOf(rocks: readonly AsteroidState[]): RockNote {
  const left = rocks.filter(({ depletion }) => depletion < 1);
  const scanned = left.filter(({ scan_conf }) => scan_conf > SCANNED_FROM);
  const best = scanned.toSorted((one, other) => other.scan_conf - one.scan_conf)[0];
  return {
    total: rocks.length,
    left: left.length,
    best: best === undefined ? null : { commodity: likeliestCommodity(best), known: best.scan_conf },
  };
}

/** Returns every place the pilot has been to, as last seen there, and those next door; by their first visit. */
export function knownPlaces(notes: readonly PilotNote[]): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  for (const { node, type, tick, exits, rocks } of notes) {
    places.set(node, { node, type, seenAt: tick, exits, rocks });
  }
  for (const { exits } of [...places.values()]) {
    for (const { node, type } of exits) {
      if (!places.has(node)) {
        places.set(node, { node, type, seenAt: null, exits: [], rocks: null });
      }
    }
  }
  return places;
}

/** Returns the market as it was when the ship was docked last; null if it has not been. */
export function lastDocked(notes: readonly PilotNote[]): MarketMemory | null {
  return notes.findLast((note) => note.isDocked) ?? null;
}

/** A price through the last ticks. */
export interface PriceCourse {
  /** At equal distances in time, oldest first. */
  prices: readonly number[];
  ticks: number;
}

const COURSE_TICKS = 400;
const COURSE_POINTS = 64;

/** Returns how the price of a good went; between two moments it is what it was at the earlier one. */
export function priceCourse(notes: readonly PilotNote[], commodity: number): PriceCourse {
  const [first, last] = [notes[0], notes.at(-1)];
  if (first === undefined || last === undefined) {
    return { prices: [], ticks: 0 };
  }
  const from = Math.max(first.tick, last.tick - COURSE_TICKS);
  const points = Math.min(COURSE_POINTS, last.tick - from + 1);
  const prices: number[] = [];
  let at = notes.findLastIndex(({ tick }) => tick <= from);
  for (let point = 0; point < points; point += 1) {
    const tick = points === 1 ? last.tick : from + ((last.tick - from) * point) / (points - 1);
    while ((notes[at + 1]?.tick ?? Number.POSITIVE_INFINITY) <= tick) {
      at += 1;
    }
    prices.push(notes[Math.max(0, at)]?.price[commodity] ?? Number.NaN);
  }
  return { prices, ticks: last.tick - from };
}
