import type { ManifestSet } from "../../manifests";
import type { Art } from "../../scene/art";
import { MapRenderer } from "../../scene/MapRenderer";
import { loadMapArt } from "../../scene/mapKind";
import type { TidebreakState } from "../state";
import { TIDEBREAK_MAP } from "./TidebreakPicture";

export function loadArt(manifests: ManifestSet): Promise<Art> {
  return loadMapArt(TIDEBREAK_MAP, manifests);
}

/** The picture of this world. */
export class TidebreakRenderer extends MapRenderer<TidebreakState> {
  constructor() {
    super(TIDEBREAK_MAP);
  }
}
