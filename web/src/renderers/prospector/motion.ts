import { lerp } from "../scene/tween";
import { type AsteroidState, isAtStation, type ProspectorState } from "./state";

/** What moves smoothly between two moments; everything else changes at once. */
export interface Motion {
  asteroid(slot: number, share: number): { scanConf: number; depletion: number };
  dock(share: number): number;
  hasTraveled: boolean;
}

/** Compares two moments. Rocks of different places are never blended into one another. */
export function motionBetween(previous: ProspectorState | null, next: ProspectorState): Motion {
  const isSamePlace = previous !== null && previous.node.index === next.node.index;
  const before = new Map<number, AsteroidState>(
    isSamePlace ? previous.asteroids.map((asteroid) => [asteroid.slot, asteroid]) : [],
  );
  const after = new Map<number, AsteroidState>(next.asteroids.map((asteroid) => [asteroid.slot, asteroid]));
  const dockedBefore = previous === null ? isAtStation(next) : isAtStation(previous);
  return {
    hasTraveled: previous !== null && !isSamePlace,
    asteroid(slot, share) {
      const to = after.get(slot);
      const from = before.get(slot) ?? to;
      return {
        scanConf: lerp(from?.scan_conf ?? 0, to?.scan_conf ?? 0, share),
        depletion: lerp(from?.depletion ?? 0, to?.depletion ?? 0, share),
      };
    },
    dock: (share) => lerp(dockedBefore ? 1 : 0, isAtStation(next) ? 1 : 0, share),
  };
}
