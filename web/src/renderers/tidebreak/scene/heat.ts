import { Sprite, type Texture } from "pixi.js";
import { bytesOf } from "../grid";
import { heatColor } from "../palette";
import { rasterTexture } from "./raster";
import type { Sight } from "./sight";

const SIDE = 32;

/** One of the fields of the sea and the air as a heat map. */
export class Heat {
  readonly view = new Sprite();
  #drawn = "";
  #texture: Texture | null = null;

  draw({ state, camera, field }: Sight): void {
    const shown = state.fields[field];
    this.view.visible = shown !== undefined;
    if (shown === undefined) {
      return;
    }
    if (shown.data !== this.#drawn) {
      this.#drawn = shown.data;
      const cells = bytesOf(shown.data);
      this.#texture?.destroy(true);
      this.#texture = rasterOf(cells);
      this.view.texture = this.#texture;
    }
    const [west, south, side] = state.domain;
    const corner = camera.toScreen({ x: west, y: south + side });
    this.view.position.set(corner.x, corner.y);
    this.view.setSize(side * camera.scale);
  }
}

function rasterOf(cells: Uint8Array): Texture {
  const at = (u: number, v: number) => cells[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)] ?? 0;
  return rasterTexture(SIDE, (u, v) => heatColor(at(u, v) / 255));
}
