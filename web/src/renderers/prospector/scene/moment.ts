import type { View } from "../../renderer";
import type { Point } from "../layout";
import { type Motion, motionBetween } from "../motion";
import { asProspector, type ProspectorState } from "../state";
import { headingOf, targetPoint, targetSlot } from "./heading";

/** One step as the picture tells it. */
export interface Moment {
  state: ProspectorState;
  /** From the moment before. */
  motion: Motion;
  /** Where the nose points, in radians. */
  heading: number;
  /** Where the rock is that the step is about; the ship, where it is about none. */
  target: Point;
  hasTarget: boolean;
  events: readonly string[];
  isStill: boolean;
}

export function momentOf({ state, frame, previous, reducedMotion }: View): Moment {
  const now = asProspector(state);
  const before = previous === undefined ? null : asProspector(previous);
  const slot = targetSlot(now, before, frame);
  return {
    state: now,
    motion: motionBetween(before, now),
    heading: headingOf(now, frame, slot),
    target: targetPoint(now, slot),
    hasTarget: slot !== null,
    events: frame?.events ?? [],
    isStill: reducedMotion,
  };
}
