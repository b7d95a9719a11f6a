import { formatWholePercent } from "../../../shared/format";
import type { Point } from "../../geometry";
import type { Knowledge } from "../knowledge";
import { flagship, isPresent, ownOf, type TidebreakState, type TrackState, type UnitState } from "../state";
import { compass, LAYERS, shipName, trackDetail, trackName } from "../words";
import { type Sight, shipPixels } from "./sight";

const NEAR_PX = 16;

export type Pointed = { unit: UnitState; track?: undefined } | { unit?: undefined; track: TrackState };

/** Returns the ship or contact nearest to a place of the screen, null where there is none near. */
export function pointedAt(sight: Sight, at: Point): Pointed | null {
  const distance = (thing: Point, reach: number) => {
    const place = sight.camera.toScreen(thing);
    const away = Math.hypot(place.x - at.x, place.y - at.y);
    return away <= Math.max(NEAR_PX, reach) ? away : Number.POSITIVE_INFINITY;
  };
  const found = [
    ...sight.knowledge.units
      .filter(isPresent)
      .map((unit) => ({ away: distance(unit, shipPixels(sight, unit) / 2), pointed: { unit } })),
    ...sight.knowledge.tracks
      .filter((track) => !track.bearing_only)
      .map((track) => ({ away: distance(track, 0), pointed: { track } })),
  ].filter(({ away }) => Number.isFinite(away));
  return found.sort((a, b) => a.away - b.away)[0]?.pointed ?? null;
}

/** What there is to say about it, line by line. */
export function pointedLines({ unit, track }: Pointed): string[] {
  if (track !== undefined) {
    return [trackName(track), trackDetail(track)];
  }
  const who =
    unit.controller === null || unit.controller === undefined ? "" : `, ${unit.controller.replace("script:", "")}`;
  return [
    `${shipName(unit)}${who}`,
    `${LAYERS[unit.layer]}, ${compass(unit.h)}, ${unit.speed.toFixed(1)} m/s, hull ${formatWholePercent(unit.hp)}`,
    ...(unit.status.length === 0
      ? []
      : [unit.status.map((name) => name.toLowerCase().replaceAll("_", " ")).join(", ")]),
  ];
}

/** Returns the row of the target head that stands for a contact of the commanded ship; null if none does. */
export function rowOf(state: TidebreakState, knowledge: Knowledge, track: TrackState): number | null {
  const own = state.own.find(({ unit }) => knowledge.units.some(({ id }) => id === unit));
  const near = (own?.contacts ?? [])
    .filter((contact) => contact.kind === "track")
    .map((contact) => ({ row: contact.row, away: Math.hypot(contact.x - track.x, contact.y - track.y) }))
    .sort((a, b) => a.away - b.away)[0];
  return near !== undefined && near.away <= Math.max(300, track.sigma * 2) ? near.row : null;
}

/** Returns the contacts that are designated by the commanded ship, by their keys. */
export function targetedTracks(state: TidebreakState, knowledge: Knowledge): Set<string> {
  const row = ownOf(state, flagship(state))?.target_row ?? null;
  const targeted = row === null ? [] : knowledge.tracks.filter((track) => rowOf(state, knowledge, track) === row);
  return new Set(targeted.map(({ track }) => track));
}
