import type { Aim } from "../scene/camera";
import { edgesOf } from "./layout";
import { subjectOf, type TownletState } from "./state";

/** Following somebody shows this much of the town around, in tiles. */
const AROUND = { width: 26, height: 15 } as const;

/** Returns where the camera should look; rows count southward, the camera northward. */
export function aimOf(state: TownletState, chosen: string | null | undefined, camera: string): Aim {
  const citizen = subjectOf(state, chosen);
  if (camera === "citizen" && citizen !== undefined) {
    const [x, y] = citizen.at;
    return { center: { x: x + 0.5, y: -(y + 0.5) }, width_m: AROUND.width, height_m: AROUND.height };
  }
  const { west, north, east, south } = edgesOf(state.map);
  return {
    center: { x: (west + east) / 2, y: -(north + south) / 2 },
    width_m: east - west,
    height_m: south - north,
  };
}
