import type { Frame } from "../../renderer";
import { asteroidAngle, asteroidPlace, neighborAngle, type Point } from "../layout";
import type { ProspectorState } from "../state";

const UP = -Math.PI / 2;

/** The rock a step is about: the one its events name, else the one that is or was selected. */
export function targetSlot(
  state: ProspectorState,
  previous: ProspectorState | null,
  frame: Frame | undefined,
): number | null {
  const named = ["fracture", "select", "stabilize", "asteroid_depleted"]
    .map((event) => asteroidOf(frame?.event_data?.[event]))
    .find((slot) => slot !== null);
  if (named !== undefined && named !== null) {
    return named;
  }
  const isSamePlace = previous?.node.index === state.node.index;
  const selected =
    state.asteroids.find((asteroid) => asteroid.selected) ??
    (isSamePlace ? previous?.asteroids.find((asteroid) => asteroid.selected) : undefined);
  return selected?.slot ?? null;
}

export function targetPoint(state: ProspectorState, slot: number | null): Point {
  const rock = state.asteroids.find((asteroid) => asteroid.slot === slot);
  return rock === undefined ? { x: 0, y: 0 } : asteroidPlace(rock.slot, rock.scan_conf);
}

/** Where the nose points: along the leg just flown, else at the rock, else up. */
export function headingOf(state: ProspectorState, frame: Frame | undefined, slot: number | null): number {
  const leg = frame?.event_data?.travel;
  if (typeof leg === "object" && leg !== null && "slot" in leg && typeof leg.slot === "number") {
    return neighborAngle(leg.slot);
  }
  return slot === null || !state.asteroids.some((asteroid) => asteroid.slot === slot) ? UP : asteroidAngle(slot);
}

function asteroidOf(payload: unknown): number | null {
  if (
    typeof payload === "object" &&
    payload !== null &&
    "asteroid" in payload &&
    typeof payload.asteroid === "number"
  ) {
    return payload.asteroid;
  }
  return null;
}
