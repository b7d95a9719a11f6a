import { Texture } from "pixi.js";
import type { ManifestSet } from "../../manifests";
import { loadPicture } from "./picture";

/** Pictures of places and things; those of effects are not needed to begin with. */
const FIRST = /^(entity|bg)\.|^vfx\.(selection\.ring|stabilize\.field)$/;
const LATER = /^vfx\./;

/** Textures and colors by their keys in the graphics manifest. */
export class Art {
  readonly #textures = new Map<string, Texture>();
  readonly #manifests: ManifestSet;
  readonly glow: Texture;

  private constructor(manifests: ManifestSet) {
    this.#manifests = manifests;
    this.glow = glowTexture();
  }

  /** Loads what places look like; `loadEffects` brings the rest. */
  static async load(manifests: ManifestSet): Promise<Art> {
    const art = new Art(manifests);
    await art.#load((key) => FIRST.test(key));
    return art;
  }

  loadEffects(): Promise<void> {
    return this.#load((key) => LATER.test(key) && !this.#textures.has(key));
  }

  texture(key: string): Texture {
    return this.#textures.get(key) ?? Texture.EMPTY;
  }

  color(key: string): string {
    return this.#manifests.graphics.colors[key] ?? "#ffffff";
  }

  async #load(isWanted: (key: string) => boolean): Promise<void> {
    const { graphics, graphicsBase } = this.#manifests;
    const wanted = Object.entries({ ...graphics.frames, ...graphics.backgrounds }).filter(([key]) => isWanted(key));
    await Promise.all(
      wanted.map(async ([key, { path }]) => {
        if (path !== null) {
          this.#textures.set(key, await loadPicture(graphicsBase + path));
        }
      }),
    );
  }
}

/** A soft white disc that is tinted for fog, engine light and halos. */
function glowTexture(): Texture {
  const size = 128;
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  const brush = canvas.getContext("2d");
  if (brush !== null) {
    const gradient = brush.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
    gradient.addColorStop(0, "rgba(255,255,255,0.95)");
    gradient.addColorStop(0.25, "rgba(255,255,255,0.5)");
    gradient.addColorStop(0.6, "rgba(255,255,255,0.14)");
    gradient.addColorStop(1, "rgba(255,255,255,0)");
    brush.fillStyle = gradient;
    brush.fillRect(0, 0, size, size);
  }
  return Texture.from(canvas);
}
