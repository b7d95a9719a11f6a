import type { Point } from "../geometry";

/** What should be in the picture: its middle, and how many meters of it must fit. */
export interface Aim {
  center: Point;
  width_m: number;
  height_m: number;
}

const ZOOM_RANGE = { least: 0.25, most: 24 } as const;
/** Share of the way to a new aim that is left after a second. */
const LAG_PER_SECOND = 0.02;

/** Maps meters to pixels; north is up. It follows its aim, and may be moved away from it by hand. */
export class Camera {
  readonly #margin_px: number;
  readonly #top_px: number;
  #aim: Aim = { center: { x: 0, y: 0 }, width_m: 1, height_m: 1 };
  #center: Point = { x: 0, y: 0 };
  #base = 1;
  #zoom = 1;
  #offset: Point = { x: 0, y: 0 };
  #size = { width: 1, height: 1 };

  /** Leaves a margin free around its aim; above it another one, where something lies over the picture. */
  constructor(margin_px: number, top_px = margin_px) {
    this.#margin_px = margin_px;
    this.#top_px = top_px;
  }

  get scale(): number {
    return this.#base * this.#zoom;
  }

  get center(): Point {
    return { x: this.#center.x + this.#offset.x, y: this.#center.y + this.#offset.y };
  }

  resize(width: number, height: number): void {
    this.#size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.settle();
  }

  aimAt(aim: Aim): void {
    this.#aim = aim;
  }

  /** Goes to the aim at once. */
  settle(): void {
    this.#center = this.#aim.center;
    this.#base = this.#scaleOf(this.#aim);
  }

  /** Goes toward the aim; returns whether it is still on its way. */
  tick(elapsedMs: number): boolean {
    const share = 1 - LAG_PER_SECOND ** (elapsedMs / 1000);
    const base = this.#scaleOf(this.#aim);
    this.#center = {
      x: this.#center.x + (this.#aim.center.x - this.#center.x) * share,
      y: this.#center.y + (this.#aim.center.y - this.#center.y) * share,
    };
    this.#base += (base - this.#base) * share;
    const away = Math.hypot(this.#aim.center.x - this.#center.x, this.#aim.center.y - this.#center.y) * this.scale;
    return away > 0.5 || Math.abs(base / this.#base - 1) > 0.002;
  }

  /** Forgets what was done by hand. */
  reset(): void {
    this.#zoom = 1;
    this.#offset = { x: 0, y: 0 };
  }

  /** Zooms so that what is under a place of the screen stays there. */
  zoomBy(factor: number, at: Point): void {
    const under = this.toWorld(at);
    this.#zoom = Math.min(ZOOM_RANGE.most, Math.max(ZOOM_RANGE.least, this.#zoom * factor));
    const now = this.toWorld(at);
    this.#offset = { x: this.#offset.x + under.x - now.x, y: this.#offset.y + under.y - now.y };
  }

  panBy(dx_px: number, dy_px: number): void {
    this.#offset = { x: this.#offset.x - dx_px / this.scale, y: this.#offset.y + dy_px / this.scale };
  }

  lookAt(place: Point): void {
    this.#offset = { x: place.x - this.#center.x, y: place.y - this.#center.y };
  }

  toScreen({ x, y }: Point): Point {
    const center = this.center;
    return {
      x: this.#size.width / 2 + (x - center.x) * this.scale,
      y: this.#middle - (y - center.y) * this.scale,
    };
  }

  toWorld({ x, y }: Point): Point {
    const center = this.center;
    return {
      x: center.x + (x - this.#size.width / 2) / this.scale,
      y: center.y - (y - this.#middle) / this.scale,
    };
  }

  /** Where the middle of the aim lies on the screen, from above. */
  get #middle(): number {
    return (this.#size.height + this.#top_px - this.#margin_px) / 2;
  }

  #scaleOf(aim: Aim): number {
    const { width, height } = this.#size;
    return Math.min(
      Math.max(40, width - 2 * this.#margin_px) / Math.max(1, aim.width_m),
      Math.max(40, height - this.#margin_px - this.#top_px) / Math.max(1, aim.height_m),
    );
  }
}
