import type { ManifestSet } from "../../manifests";
import { draw } from "./svg";

/** Begins to fetch the sheets, so that they are there with the first picture. */
export function fetchSheets({ graphics, graphicsBase }: ManifestSet): void {
  for (const path of Object.values(graphics.atlases)) {
    new Image().src = `${graphicsBase}${path}`;
  }
}

/** The pictures of this world, cut from their sheets. */
export class Art {
  readonly #manifests: ManifestSet;

  constructor(manifests: ManifestSet) {
    this.#manifests = manifests;
  }

  color(key: string): string {
    return this.#manifests.graphics.colors[key] ?? "#8593a3";
  }

  stageColor(stage: string): string {
    return this.color(`stage.${stage.toLowerCase()}`);
  }

  /** Returns a picture around a point; null where there is none by that name. */
  picture(key: string, x: number, y: number, size: number): SVGElement | null {
    const { frames, atlases } = this.#manifests.graphics;
    const entry = frames[key];
    const sheet = entry?.atlas == null ? undefined : atlases[entry.atlas];
    if (sheet === undefined || entry?.frame == null) {
      return null;
    }
    return draw(
      "svg",
      { x: x - size / 2, y: y - size / 2, width: size, height: size, viewBox: entry.frame.join(" ") },
      draw("image", { href: `${this.#manifests.graphicsBase}${sheet}` }),
    );
  }
}
