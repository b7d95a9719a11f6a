import type { ManifestSet } from "../../manifests";
import type { Art } from "../../scene/art";
import { MapRenderer } from "../../scene/MapRenderer";
import { loadMapArt } from "../../scene/mapKind";
import type { TownletState } from "../state";
import { TOWNLET_MAP } from "./TownletPicture";

export function loadArt(manifests: ManifestSet): Promise<Art> {
  return loadMapArt(TOWNLET_MAP, manifests);
}

/** The picture of this world. */
export class TownletRenderer extends MapRenderer<TownletState> {
  constructor() {
    super(TOWNLET_MAP);
  }
}
