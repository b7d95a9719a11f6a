import { Assets, Texture } from "pixi.js";
import type { ManifestSet } from "../../manifests";

/** Sprites are drawn as vectors; this many pixels per unit of the file keep them sharp on large screens. */
const PIXELS_PER_UNIT = 2;

/** Textures and colors by their keys in the graphics manifest. */
export class Art {
  readonly #textures: ReadonlyMap<string, Texture>;
  readonly #colors: Readonly<Record<string, string>>;
  readonly glow: Texture;

  private constructor(textures: ReadonlyMap<string, Texture>, colors: Readonly<Record<string, string>>) {
    this.#textures = textures;
    this.#colors = colors;
    this.glow = glowTexture();
  }

  /** Loads every picture a manifest names. */
  static async load(manifests: ManifestSet): Promise<Art> {
    const { frames, backgrounds, colors } = manifests.graphics;
    const paths = [...Object.entries(frames), ...Object.entries(backgrounds)]
      .map(([key, entry]) => [key, entry.path] as const)
      .filter((pair): pair is [string, string] => pair[1] !== null && !pair[0].startsWith("ui."));
    const textures = await Promise.all(
      paths.map(async ([key, path]) => {
        const src = new URL(manifests.graphicsBase + path, window.location.href).href;
        const texture = await Assets.load<Texture>({ src, data: { resolution: PIXELS_PER_UNIT } });
        return [key, texture] as const;
      }),
    );
    return new Art(new Map(textures), colors);
  }

  texture(key: string): Texture {
    return this.#textures.get(key) ?? Texture.EMPTY;
  }

  color(key: string): string {
    return this.#colors[key] ?? "#ffffff";
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
