import { capitalize } from "../../shared/capitalize";
import type { ContactState, Iff, TrackState, UnitState } from "./state";

export const LAYERS = ["Surface", "Submerged", "Abyssal", "Unknown depth"] as const;
export const EMISSIONS = ["Silent", "Passive", "Active"] as const;
export const FOCUS = ["Balanced", "Fire", "Flooding", "Repair"] as const;
export const SYSTEMS = ["Engine", "Weapons", "Sensors", "Power", "Ballast"] as const;
export const GROUPS = {
  GUN: "Guns",
  TORPEDO: "Torpedoes",
  MISSILE: "Missiles",
  ASW: "Anti-submarine",
  MINE: "Mines",
  AIR: "Air wing",
} as const;

const IFF_WORDS: Readonly<Record<Iff, string>> = {
  UNKNOWN: "Unknown contact",
  FRIENDLY_AUTHENTICATED: "Friend",
  FRIENDLY_ASSUMED: "Friend, it seems",
  SUSPECT: "Suspect",
  HOSTILE_DECLARED: "Hostile",
};
const SIZES: Readonly<Record<string, string>> = { S: "small", M: "medium", L: "large", XL: "huge" };
const QUALITY = ["a cue", "coarse", "good enough to fire", "shared fire control"] as const;

/** Returns `attack_sub` as Attack sub. */
function className(code: string): string {
  return capitalize(code.replaceAll("_", " "));
}

/** Returns `blue-01-corvette` as Corvette 1; names of another form stay as they are. */
export function shipName(unit: Pick<UnitState, "ship_id" | "class">): string {
  const number = unit.ship_id.match(/^[^-]+-0*(\d+)-/)?.[1];
  if (unit.ship_id === "") {
    return className(unit.class);
  }
  return number === undefined ? unit.ship_id : `${className(unit.class)} ${number}`;
}

export function kilometers(meters: number): string {
  return meters < 950 ? `${Math.round(meters / 10) * 10} m` : `${(meters / 1000).toFixed(1)} km`;
}

/** Returns a heading, counter-clockwise from east, as compass degrees. */
export function compass(heading: number): string {
  const degrees = Math.round(90 - (heading * 180) / Math.PI);
  return `${String(((degrees % 360) + 360) % 360).padStart(3, "0")}°`;
}

export function iffWord(iff: Iff): string {
  return IFF_WORDS[iff];
}

/** What a track seems to be. */
export function trackName(track: TrackState): string {
  if (track.is_munition) {
    return "Munition";
  }
  const what = track.class === null ? (track.size === null ? "" : (SIZES[track.size] ?? "")) : className(track.class);
  const who = iffWord(track.iff);
  return what === "" ? who : `${who}, ${what.toLowerCase()}`;
}

export function trackDetail(track: TrackState): string {
  const place = track.bearing_only ? "bearing only" : `give or take ${kilometers(track.sigma)}`;
  const age = track.age === 0 ? "seen now" : `${track.age} s old`;
  return `${LAYERS[track.layer] ?? LAYERS[3]}, ${QUALITY[track.quality]}, ${place}, ${age}`;
}

/** Returns a contact as the target head names it: Hostile small, Hostile corvette. */
export function contactName(contact: ContactState): string {
  const words = contact.label.replace(/\b(S|M|L|XL)$/, (size) => SIZES[size] ?? size).replaceAll("_", " ");
  return words === "" ? iffWord(contact.iff) : capitalize(words);
}

/** Returns a sentence with ships called by their side, class and number instead of their ids. */
export function withNames(text: string, units: readonly UnitState[], teamName: (team: string) => string): string {
  return units
    .filter((unit) => unit.ship_id !== "")
    .toSorted((one, other) => other.ship_id.length - one.ship_id.length)
    .reduce((told, unit) => told.replaceAll(unit.ship_id, fullName(unit, teamName)), text);
}

/** Returns a sentence with the quality of a track in words: (Q1) as (coarse). */
export function withQuality(text: string): string {
  return text.replace(/\(Q([0-3])\)/g, (_, grade: string) => `(${QUALITY[Number(grade)]})`);
}

function fullName(unit: UnitState, teamName: (team: string) => string): string {
  const name = shipName(unit);
  return name === unit.ship_id ? name : `${teamName(unit.team)} ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}
