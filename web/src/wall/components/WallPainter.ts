import { type PaletteName, paintBrightness, paintShades } from "../../renderers/pixels/shades";
import type { LaneStore } from "../state/LaneStore";
import { ENDED, SUCCEEDED } from "../state/messages";

/** Between two pictures; half of it belongs to each. */
export const GAP_PX = 4;
const GLOW_MS = 700;
const GOOD = "#54d6a8";
const BAD = "#ff8f8f";

/** Paints copies into their cells. */
export class WallPainter {
  readonly #context: CanvasRenderingContext2D;
  readonly #store: LaneStore;
  readonly #across: number;
  readonly #palette: PaletteName;
  readonly #image: ImageData;
  readonly #pixels: Uint32Array;
  readonly #glowing = new Map<number, number>();

  constructor(context: CanvasRenderingContext2D, store: LaneStore, across: number, palette: PaletteName) {
    this.#context = context;
    this.#store = store;
    this.#across = across;
    this.#palette = palette;
    this.#image = context.createImageData(store.opening.columns, store.opening.rows);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
  }

  paint(lanes: Iterable<number>): void {
    for (const lane of lanes) {
      const picture = this.#store.picture(lane);
      if (this.#store.opening.bits === 2) {
        paintShades(picture, this.#palette, this.#pixels);
      } else {
        paintBrightness(picture, this.#pixels);
      }
      const { x, y } = this.#place(lane);
      this.#context.putImageData(this.#image, x + GAP_PX / 2, y + GAP_PX / 2);
    }
  }

  /** Frames the copies whose episodes ended, for a moment. */
  mark(marks: Uint8Array, now: number): void {
    for (const [lane, mark] of marks.entries()) {
      if ((mark & ENDED) !== 0) {
        this.#glowing.set(lane, now);
        this.#frame(lane, (mark & SUCCEEDED) !== 0 ? GOOD : BAD);
      }
    }
    for (const [lane, since] of this.#glowing) {
      if (now - since > GLOW_MS) {
        this.#glowing.delete(lane);
        this.#frame(lane, null);
      }
    }
  }

  #place(lane: number): { x: number; y: number; width: number; height: number } {
    const width = this.#store.opening.columns + GAP_PX;
    const height = this.#store.opening.rows + GAP_PX;
    return { x: (lane % this.#across) * width, y: Math.floor(lane / this.#across) * height, width, height };
  }

  #frame(lane: number, color: string | null): void {
    const { x, y, width, height } = this.#place(lane);
    const edge = GAP_PX / 2;
    for (const side of [
      [x, y, width, edge],
      [x, y + height - edge, width, edge],
      [x, y, edge, height],
      [x + width - edge, y, edge, height],
    ] as const) {
      this.#context.clearRect(...side);
      if (color !== null) {
        this.#context.fillStyle = color;
        this.#context.fillRect(...side);
      }
    }
  }
}
