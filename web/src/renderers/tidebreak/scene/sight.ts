import type { Point } from "../../geometry";
import type { Art } from "../../scene/art";
import type { Camera } from "../../scene/camera";
import { lerp, lerpAngle } from "../../scene/tween";
import type { Knowledge } from "../knowledge";
import type { TidebreakState, UnitState } from "../state";

const TEAM_COLORS = 4;

/** One drawing of the picture: what is known, from where it is seen, and how far the step has got. */
export interface Sight {
  state: TidebreakState;
  knowledge: Knowledge;
  camera: Camera;
  art: Art;
  width: number;
  height: number;
  /** 0..1 of the way from the moment before to this one. */
  share: number;
  clockMs: number;
  isStill: boolean;
  hasSensors: boolean;
  field: string;
  /** Where ships and munitions were before, by id. */
  before: ReadonlyMap<number, { x: number; y: number; h: number }>;
  teamColor: (team: string) => string;
}

type Looking = Pick<Sight, "camera" | "width" | "height" | "share" | "clockMs" | "isStill" | "hasSensors" | "field">;

/** Puts together what a drawing needs; `before` is the moment before, where the step from it is to be seen. */
export function makeSight(
  state: TidebreakState,
  knowledge: Knowledge,
  before: TidebreakState | null,
  art: Art,
  looking: Looking,
): Sight {
  return {
    ...looking,
    state,
    knowledge,
    art,
    before: new Map([...(before?.units ?? []), ...(before?.munitions ?? [])].map((one) => [one.id, one])),
    teamColor: (team) => art.color(teamColorKey(state, knowledge.side, team)),
  };
}

/** Sides have colors of their own in the truth; in the picture of one side there are friends and others. */
function teamColorKey(state: TidebreakState, side: string | null, team: string): string {
  if (side !== null) {
    return team === side ? "iff.friend" : "iff.hostile";
  }
  const place = state.teams.findIndex(({ team_id }) => team_id === team);
  return `team.${Math.max(0, place) % TEAM_COLORS}`;
}

/** Returns where something is in this drawing, in meters, and its heading. */
export function placeOf(
  sight: Sight,
  thing: { id: number; x: number; y: number; h: number },
): Point & { heading: number } {
  const from = sight.before.get(thing.id);
  if (from === undefined) {
    return { x: thing.x, y: thing.y, heading: thing.h };
  }
  return {
    x: lerp(from.x, thing.x, sight.share),
    y: lerp(from.y, thing.y, sight.share),
    heading: lerpAngle(from.h, thing.h, sight.share),
  };
}

/** Length of a ship on screen; small hulls and far views keep a size that can be seen. */
export function shipPixels(sight: Sight, unit: Pick<UnitState, "radius" | "kind">): number {
  const least = unit.kind === "SQUADRON" ? 22 : 34 + Math.min(26, unit.radius / 5);
  return Math.max(least, unit.radius * 2.4 * sight.camera.scale);
}
