import type { Point } from "../geometry";
import type { Aim } from "../scene/camera";
import type { Knowledge } from "./knowledge";
import { flagship, isPresent, type TidebreakState } from "./state";

/** Following a ship shows this much of the sea around it, meters. */
const AROUND_SHIP_M = 9000;
const LEAST_M = 3000;

/** Returns where the camera should look. */
export function aimOf(state: TidebreakState, knowledge: Knowledge, camera: string): Aim {
  const ship = flagship(state);
  if (camera === "ship" && ship !== undefined) {
    return { center: { x: ship.x, y: ship.y }, width_m: AROUND_SHIP_M, height_m: AROUND_SHIP_M };
  }
  const afloat = [...knowledge.units.filter(isPresent), ...knowledge.tracks.filter((track) => !track.is_munition)];
  if (camera === "map" || afloat.length === 0) {
    const [west, south, east, north] = state.bounds;
    return box([
      { x: west, y: south },
      { x: east, y: north },
    ]);
  }
  return box(afloat);
}

function box(places: readonly Point[]): Aim {
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [south, north] = [Math.min(...ys), Math.max(...ys)];
  return {
    center: { x: (west + east) / 2, y: (south + north) / 2 },
    width_m: Math.max(LEAST_M, (east - west) * 1.15),
    height_m: Math.max(LEAST_M, (north - south) * 1.15),
  };
}
