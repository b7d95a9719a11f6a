import { TWEEN_MS } from "../../scene/tween";
import type { Fit } from "../layout";
import type { AsteroidState, ProspectorState } from "../state";
import type { Scene } from "./composition";
import { hazardMarkSize } from "./markers";
import type { Moment } from "./moment";

/** Narrower pictures have no free corner for the card of the selected rock. */
const CARD_WIDTH_PX = 820;
const ARRIVAL_MS = TWEEN_MS * 2.2;
const BURN_MS = 1200;
const IDLE_THRUST = 0.12;

/** When a moment is drawn, and how it is looked at. */
export interface Beat {
  /** How far the picture has moved from the moment before, 0..1. */
  share: number;
  clockMs: number;
  sinceShownMs: number;
  isStill: boolean;
  fit: Fit;
  /** The slot of the rock under the pointer. */
  hovered: number | null;
}

export function drawMoment(scene: Scene, { state, motion, heading, events }: Moment, beat: Beat): void {
  const { share, clockMs, sinceShownMs, isStill } = beat;
  const { width, height } = scene.screen.size;
  const isBurning = motion.hasTraveled || events.includes("emergency_burn");
  const pose = {
    heading,
    dock: motion.dock(share),
    arrival: sinceShownMs / ARRIVAL_MS,
    isArriving: motion.hasTraveled && !isStill,
    thrust: isBurning ? Math.max(0, 1 - sinceShownMs / BURN_MS) : IDLE_THRUST,
    isGone: events.includes("destroyed"),
  };
  scene.craft.draw(pose, clockMs, isStill, state.ship.escape_ticks);
  scene.field.draw(motion, share, clockMs, isStill, beat.fit);
  scene.markers.draw(state, events, width, height, clockMs, isStill);
  scene.map.draw(state, width, height);
  scene.card.draw(
    rockToTell(state, beat.hovered, width),
    height,
    state.node.type === "hazard" ? hazardMarkSize(width, height) * 1.6 : 0,
  );
  scene.label.draw(state);
}

/** The rock under the pointer, else the selected one where its card does not cover others. */
function rockToTell(state: ProspectorState, hovered: number | null, width: number): AsteroidState | null {
  const wanted = (asteroid: AsteroidState) =>
    hovered === null ? asteroid.selected && width > CARD_WIDTH_PX : asteroid.slot === hovered;
  return state.asteroids.find(wanted) ?? null;
}
