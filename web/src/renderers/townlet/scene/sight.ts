import type { Point } from "../../geometry";
import type { Art } from "../../scene/art";
import type { Look } from "../../scene/mapKind";
import { lerp } from "../../scene/tween";
import { type Daylight, daylightAt } from "../daylight";
import { type CitizenState, doingOf, subjectOf, type TownletState } from "../state";

/** What is done on an object itself rather than in front of it. */
const ON_TOP = new Set(["rest_sleep", "use_shower", "sit_bench"]);
/** Citizens keep a size that can be seen, in pixels; beyond it they grow with the town, in tiles. */
const PERSON = { least_px: 30, least: 1.25, most: 2.3 } as const;
/** How far apart two stand who share a tile. */
const APART = 0.28;

/** Where somebody is drawn: the middle of the feet in tiles, whether walking, and which way. */
export interface Stand extends Point {
  isWalking: boolean;
  /** -1 to the west, 1 to the east, 0 where it was last. */
  facing: number;
}

/** One drawing of the picture: the moment, who is looked at, and where everybody stands. */
export interface Sight {
  look: Look<TownletState>;
  state: TownletState;
  art: Art;
  subject: CitizenState | undefined;
  daylight: Daylight;
  /** By seat. */
  stands: ReadonlyMap<number, Stand>;
  /** Height of a citizen in tiles. */
  person: number;
}

export function makeSight(look: Look<TownletState>, art: Art): Sight {
  const state = look.now;
  const person = Math.min(PERSON.most, Math.max(PERSON.least, PERSON.least_px / look.camera.scale));
  return {
    look,
    state,
    art,
    subject: subjectOf(state, look.view.subject),
    daylight: daylightAt(state.tod, state.ticks_per_day),
    stands: standsOf(state, look.before, look.share),
    person,
  };
}

/** Returns where everybody stands; people glide from where they were in the moment before. */
export function standsOf(state: TownletState, before: TownletState | null, share: number): Map<number, Stand> {
  const last = new Map(before?.citizens.map((citizen) => [citizen.id, footOf(before, citizen)]));
  return new Map(
    state.citizens.map((citizen) => {
      const to = footOf(state, citizen);
      const from = last.get(citizen.id) ?? to;
      const [x, y] = [lerp(from.x, to.x, share), lerp(from.y, to.y, share)];
      const isWalking = share < 1 && (from.x !== to.x || from.y !== to.y);
      return [citizen.seat, { x, y, isWalking, facing: Math.sign(Math.round((to.x - from.x) * 2)) }];
    }),
  );
}

function footOf(state: TownletState, citizen: CitizenState): Point {
  const object = ON_TOP.has(doingOf(state, citizen) ?? "") ? state.map.objects[citizen.holds ?? -1] : undefined;
  if (object !== undefined) {
    return { x: object[3] + 0.5, y: object[4] + 0.78 };
  }
  const [x, y] = citizen.at;
  const together = state.citizens.filter((other) => other.at[0] === x && other.at[1] === y);
  const place = together.length < 2 ? 0 : together.indexOf(citizen) === 0 ? -APART : APART;
  return { x: x + 0.5 + place, y: y + 0.82 };
}

/** Returns a place of the town, in tiles, as one of the screen. */
export function toScreen(sight: Pick<Sight, "look">, x: number, y: number): Point {
  return sight.look.camera.toScreen({ x, y: -y });
}

/** Returns where the head of somebody is on the screen. */
export function headOf(sight: Sight, seat: number): Point | null {
  const stand = sight.stands.get(seat);
  return stand === undefined ? null : toScreen(sight, stand.x, stand.y - sight.person * 0.92);
}
