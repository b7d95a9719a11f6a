import type { RenderState } from "../renderer";

/** Column and row of a tile; rows count southward. */
export type Tile = readonly [number, number];
export type Rect = readonly [number, number, number, number];

export const NEEDS = ["hunger", "hygiene", "energy"] as const;

/** A zone with a door is a building, with walls on the rim of its rectangle. */
export interface ZoneState {
  id: string;
  rect: Rect;
  door: Tile | null;
}

/** Id, type, zone (-1 for none), where it stands and from where it is used. */
export type ObjectRow = readonly [string, string, number, number, number, number, number];

/** Id, zone, first tick of the shift, first tick after it. */
export type JobRow = readonly [string, number, number, number];

export interface TownMap {
  size: Tile;
  zones: readonly ZoneState[];
  objects: readonly ObjectRow[];
  /** What can be done with every type of object, in the order of the interactions. */
  uses: Readonly<Record<string, readonly string[]>>;
  jobs: readonly JobRow[];
  spawns: readonly Tile[];
}

/** An object about which there is something to tell; what is left out is nothing. */
export interface ThingState {
  object: number;
  holder?: number;
  queue?: readonly number[];
  doing?: string;
  remaining?: number;
  duration?: number;
  owner?: number;
  stock?: Readonly<Record<string, number>>;
}

/** The other's seat, trust, familiarity and rivalry. */
export type Tie = readonly [number, number, number, number];

export interface CitizenState {
  seat: number;
  id: string;
  name: string;
  at: Tile;
  home: number;
  /** Hunger, hygiene, energy; 1 is satisfied. */
  needs: readonly number[];
  wallet: number;
  items: Readonly<Record<string, number>>;
  option: string;
  /** Whether what it set out to do is done or can no longer be done. */
  is_settled: boolean;
  commit: number;
  goal: Tile | null;
  did: string;
  succeeded: boolean;
  is_busy: boolean;
  holds: number | null;
  waits: number | null;
  job: number | null;
  shift: string;
  attendance: number;
  absences: number;
  arrears: number;
  profile: string;
  traits: readonly number[];
  ties: readonly Tie[];
  meets: number | null;
  fitness: number;
  is_leaving: boolean;
  is_possessed: boolean;
  return: number;
  /** Parts of the last reward that are not nothing, and their `total`; empty before the first. */
  reward: Readonly<Record<string, number>>;
}

export interface PerturbationState {
  id: string;
  kind: "price_spike" | "blackout" | "outage" | "arranged_meet";
  started_at: number;
  ends_at: number | null;
  magnitude: number;
  prices: readonly string[];
  zone: number | null;
  seats: readonly number[];
}

export interface NewsState {
  id: number;
  tick: number;
  kind: string;
  text: string;
  /** Ids of who took part. */
  who: readonly string[];
}

/** The render state of this world, schema version 1. */
export interface TownletState extends RenderState {
  day: number;
  tod: number;
  ticks_per_day: number;
  /** Who is led by whoever looks; null for a spectator. */
  seat: number | null;
  action_level: "option" | "primitive";
  map: TownMap;
  things: readonly ThingState[];
  citizens: readonly CitizenState[];
  /** Usual price and present price. */
  prices: Readonly<Record<string, readonly [number, number]>>;
  utilities: { power: boolean; water: boolean };
  perturbations: readonly PerturbationState[];
  events: readonly NewsState[];
}

const SCHEMA_VERSION = 1;

/** Reads a render state as this world's. Throws on another schema version, so that nothing is drawn wrongly. */
export function asTownlet(state: RenderState): TownletState {
  if (state.schema_version !== SCHEMA_VERSION) {
    throw new Error(`render schema ${state.schema_version} is not the ${SCHEMA_VERSION} this picture knows`);
  }
  return state as TownletState;
}

/** Returns who is looked at: the one chosen, else the one who is led, else the first; undefined in an empty town. */
export function subjectOf(state: TownletState, chosen: string | null | undefined): CitizenState | undefined {
  const isAlone = state.seat !== null && (chosen ?? null) === null;
  return isAlone
    ? state.citizens.find(({ seat }) => seat === state.seat)
    : (state.citizens.find(({ id }) => id === chosen) ?? state.citizens[0]);
}

export function citizenAt(state: TownletState, seat: number | undefined): CitizenState | undefined {
  return state.citizens.find((citizen) => citizen.seat === seat);
}

export function thingAt(state: TownletState, object: number | null): ThingState | undefined {
  return state.things.find((thing) => thing.object === object);
}

/** What somebody is doing with an object right now, such as `eat_meal`. */
export function doingOf(state: TownletState, citizen: CitizenState): string | null {
  return citizen.is_busy ? (thingAt(state, citizen.holds)?.doing ?? null) : null;
}
