import {
  isPresent,
  type MunitionState,
  OMNISCIENT,
  type TidebreakState,
  type TrackState,
  type UnitState,
} from "./state";
import { TRUTH } from "./tools";

/** Ranges within which a side senses what runs at it, meters. */
const SENSED_M: Partial<Record<MunitionState["kind"], number>> = { TORPEDO: 2500, MISSILE: 6000 };

/** What is to be drawn: ships and munitions that are known as they are, and contacts that are believed. */
export interface Knowledge {
  /** The side whose knowledge it is; null for the truth. */
  side: string | null;
  units: readonly UnitState[];
  munitions: readonly MunitionState[];
  tracks: readonly TrackState[];
}

/** Returns the picture of a side, or the truth where all is known and wanted. */
export function knowledgeOf(state: TidebreakState, wanted: string): Knowledge {
  const side = state.view === OMNISCIENT ? (wanted === TRUTH ? null : wanted) : state.view;
  if (side === null) {
    return { side, units: state.units, munitions: state.munitions, tracks: [] };
  }
  const units = state.units.filter((unit) => unit.team === side);
  const tracks = state.tracks[side] ?? [];
  if (state.view !== OMNISCIENT) {
    return { side, units, munitions: state.munitions, tracks };
  }
  const tracked = new Set(tracks.map((track) => track.contact));
  const eyes = units.filter(isPresent);
  const isKnown = (munition: MunitionState) =>
    munition.team === side ||
    tracked.has(munition.id) ||
    eyes.some((unit) => Math.hypot(unit.x - munition.x, unit.y - munition.y) <= (SENSED_M[munition.kind] ?? 0));
  return { side, units, munitions: state.munitions.filter(isKnown), tracks };
}
