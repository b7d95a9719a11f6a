import type { RenderState } from "../renderer";

export type Layer = 0 | 1 | 2;
export type Iff = "UNKNOWN" | "FRIENDLY_AUTHENTICATED" | "FRIENDLY_ASSUMED" | "SUSPECT" | "HOSTILE_DECLARED";
export type Vertices = readonly (readonly [number, number])[];

/** A circle, or a polygon where it has vertices; meters, east and north. */
export interface Shape {
  x: number;
  y: number;
  radius: number;
  vertices: Vertices;
}

export interface UnitState {
  id: number;
  ship_id: string;
  team: string;
  class: string;
  kind: "SHIP" | "PLATFORM" | "SQUADRON";
  radius: number;
  x: number;
  y: number;
  /** Counter-clockwise from east, in radians. */
  h: number;
  speed: number;
  layer: Layer;
  mode: 0 | 1 | 2;
  target_layer: Layer | null;
  progress: number;
  hp: number;
  fire: number;
  flood: number;
  /** Propulsion, weapons, sensors, power, ballast. */
  systems: readonly number[];
  morale: number;
  emissions: 0 | 1 | 2;
  status: readonly string[];
  seat: number | null;
  controller: string | null;
  target: number | null;
  damage_dealt: number;
  damage_taken: number;
  kills: number;
  shots: number;
  hits: number;
}

export interface MunitionState {
  id: number;
  kind: "SALVO" | "TORPEDO" | "MISSILE" | "CHARGE" | "MINE" | "DECOY";
  weapon: string;
  team: string;
  owner: number;
  x: number;
  y: number;
  h: number;
  speed: number;
  layers: readonly number[];
  aim: readonly [number, number];
  armed: boolean;
  /** Seconds of flight left. */
  remaining: number;
}

export interface TrackState {
  track: string;
  holder: number;
  x: number;
  y: number;
  vx: number;
  vy: number;
  /** Standard error in meters. */
  sigma: number;
  quality: 0 | 1 | 2 | 3;
  bearing_only: boolean;
  iff: Iff;
  age: number;
  /** 3 stands for unknown. */
  layer: number;
  size: string | null;
  class: string | null;
  is_munition: boolean;
  held_by: number;
  contact: number | null;
}

export interface ContactState {
  row: number;
  kind: "track" | "mate" | "munition";
  label: string;
  x: number;
  y: number;
  range_m: number;
  /** World bearing, counter-clockwise from east. */
  bearing: number;
  quality: number;
  iff: Iff;
  layer: number;
  can_engage: boolean;
}

export interface WeaponState {
  group: "GUN" | "TORPEDO" | "MISSILE" | "ASW" | "MINE" | "AIR";
  mounts: number;
  ready: number;
  /** -1 without end. */
  ammo: number;
  ammo_share: number;
  range_m: number;
}

/** What the captain of a seat has in hand. */
export interface OwnState {
  seat: number;
  unit: number;
  speed: number;
  speed_limit: number;
  throttle: number;
  ordered_throttle: number;
  rudder: number;
  ordered_rudder: number;
  fuel: number;
  morale: number;
  crew: number;
  decoys: number;
  marines: number;
  dc_focus: number;
  noise_db: number;
  is_detected: boolean;
  weapons: readonly WeaponState[];
  target_row: number | null;
  contacts: readonly ContactState[];
}

export interface FieldState {
  layer: Layer;
  low: number;
  high: number;
  data: string;
}

export type DepthState = { uniform_m: number } | { rows: number; columns: number; scale_m: number; data: string };

export interface EventRecord {
  id: number;
  tick: number;
  kind: string;
  source: number;
  target: number;
  cause: number;
  text: string;
}

export interface ObjectiveState {
  unit: number;
  type: string;
  status: string;
  progress: number;
  zone: Shape | null;
  destination: readonly [number, number] | null;
}

/** The render state of this world, schema version 1. */
export interface TidebreakState extends RenderState {
  /** `omniscient`, or the team whose knowledge this is. */
  view: string;
  bounds: readonly [number, number, number, number];
  map: {
    edges: "closed" | "open";
    depth: DepthState;
    obstacles: readonly (Shape & { solid: boolean; intensity: number; layers: readonly number[] })[];
    zones: readonly (Shape & { effect: string; intensity: number; layers: readonly number[] })[];
  };
  weather: {
    sea_state: number;
    visibility_km: number;
    precipitation: "NONE" | "LIGHT_RAIN" | "HEAVY_RAIN" | "STORM";
    wind: readonly [number, number];
    lightning: number;
  };
  storms: readonly { x: number; y: number; radius: number; intensity: number; profile: string }[];
  teams: readonly {
    team_id: string;
    name: string;
    cost_share: number | null;
    units: number;
    effective: number | null;
  }[];
  seats: readonly { seat: number; unit: number; ship_id: string | null; team: string | null; alive: boolean }[];
  units: readonly UnitState[];
  munitions: readonly MunitionState[];
  tracks: Readonly<Record<string, readonly TrackState[]>>;
  own: readonly OwnState[];
  objective: readonly ObjectiveState[];
  fields: Readonly<Record<string, FieldState>>;
  domain: readonly [number, number, number];
  events: readonly EventRecord[];
  outcome: { end_reason: string; winner: string | null } | null;
}

export const OMNISCIENT = "omniscient";
const SCHEMA_VERSION = 1;
const GONE = new Set(["DESTROYED", "SCUTTLED", "EXITED"]);
const SUNK = new Set(["DESTROYED", "SCUTTLED"]);

/** Reads a render state as this world's. Throws on another schema version, so that nothing is drawn wrongly. */
export function asTidebreak(state: RenderState): TidebreakState {
  if (state.schema_version !== SCHEMA_VERSION) {
    throw new Error(`render schema ${state.schema_version} is not the ${SCHEMA_VERSION} this picture knows`);
  }
  return state as TidebreakState;
}

export function isPresent(unit: UnitState): boolean {
  return !unit.status.some((name) => GONE.has(name));
}

export function isSunk(unit: UnitState): boolean {
  return unit.status.some((name) => SUNK.has(name));
}

/** Returns the ship that is commanded or watched: that of the first filled seat, else the first that floats. */
export function flagship(state: TidebreakState): UnitState | undefined {
  const unit = state.own[0]?.unit;
  return state.units.find(({ id }) => id === unit) ?? state.units.find(isPresent);
}

/** Returns what the captain of a ship has in hand; undefined for ships without a seat. */
export function ownOf(state: TidebreakState, unit: UnitState | undefined): OwnState | undefined {
  return state.own.find((own) => own.unit === unit?.id);
}
