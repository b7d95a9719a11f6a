import { Rectangle, Texture } from "pixi.js";
import { type ManifestSet, picturesOf } from "../manifests";
import { loadPicture } from "./picture";

/** Which keys a picture needs to begin with, and which when it has begun; the others are never drawn. */
export interface ArtWanted {
  first: RegExp;
  later: RegExp;
}

/** Textures and colors by their keys in the graphics manifest. */
export class Art {
  readonly #textures = new Map<string, Texture>();
  readonly #manifests: ManifestSet;
  readonly #wanted: ArtWanted;
  readonly glow: Texture;

  private constructor(manifests: ManifestSet, wanted: ArtWanted) {
    this.#manifests = manifests;
    this.#wanted = wanted;
    this.glow = glowTexture();
  }

  /** Loads what the first picture is made of; `loadRest` brings what it does without. */
  static async load(manifests: ManifestSet, wanted: ArtWanted): Promise<Art> {
    const art = new Art(manifests, wanted);
    await art.#load((key) => wanted.first.test(key));
    return art;
  }

  loadRest(): Promise<void> {
    return this.#load((key) => this.#wanted.later.test(key) && !this.#textures.has(key));
  }

  texture(key: string, fallback = ""): Texture {
    return this.#textures.get(key) ?? this.#textures.get(fallback) ?? Texture.EMPTY;
  }

  color(key: string): string {
    return this.#manifests.graphics.colors[key] ?? "#ffffff";
  }

  async #load(isWanted: (key: string) => boolean): Promise<void> {
    const { graphics, graphicsBase } = this.#manifests;
    await Promise.all(
      picturesOf(graphics)
        .filter(({ key }) => isWanted(key))
        .map(async ({ key, path, cut }) => {
          const picture = await loadPicture(graphicsBase + path);
          this.#textures.set(key, cut === null ? picture : cutOut(picture, cut));
        }),
    );
  }
}

function cutOut(sheet: Texture, [x, y, width, height]: readonly [number, number, number, number]): Texture {
  return new Texture({ source: sheet.source, frame: new Rectangle(x, y, width, height) });
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
