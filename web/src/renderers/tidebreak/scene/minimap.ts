import { Container, Graphics, Rectangle, Sprite, type Texture } from "pixi.js";
import type { Point } from "../../geometry";
import { isPresent } from "../state";
import type { Sight } from "./sight";

const SIDE_PX = { least: 84, most: 150 } as const;
const MARGIN_PX = 10;

/** The whole battle in a corner, with what the picture shows of it; a click on it goes there. */
export class MiniMap {
  readonly view = new Container();
  readonly #sea = new Sprite();
  readonly #marks = new Graphics();
  #box = new Rectangle();
  #toWorld: (at: Point) => Point = (at) => at;

  constructor() {
    this.view.addChild(this.#sea, this.#marks);
  }

  /** Returns the place of the sea under a place of the screen, null beside the map. */
  placeAt({ x, y }: Point): Point | null {
    return this.#box.contains(x, y) ? this.#toWorld({ x: x - this.#box.x, y: y - this.#box.y }) : null;
  }

  draw(sight: Sight, thumbnail: Texture | null): void {
    const { state, camera, knowledge, width, height } = sight;
    const [west, south, east, north] = state.bounds;
    const side = Math.min(SIDE_PX.most, Math.max(SIDE_PX.least, Math.min(width, height) * 0.26));
    const scale = side / Math.max(east - west, north - south);
    const [w, h] = [(east - west) * scale, (north - south) * scale];
    const place = ({ x, y }: Point) => ({ x: (x - west) * scale, y: (north - y) * scale });
    this.#toWorld = (at) => ({ x: west + at.x / scale, y: north - at.y / scale });
    this.#box = new Rectangle(Math.round(width - w - MARGIN_PX), Math.round(height - h - MARGIN_PX), w, h);
    this.view.position.set(this.#box.x, this.#box.y);
    if (thumbnail !== null) {
      this.#sea.texture = thumbnail;
      this.#sea.setSize(w, h);
    }
    this.#marks.clear().rect(0, 0, w, h).fill({ color: "#04121f", alpha: 0.35 });
    for (const track of knowledge.tracks) {
      const at = place(track);
      this.#marks.circle(at.x, at.y, 2).fill({ color: sight.art.color("iff.hostile"), alpha: 0.8 });
    }
    for (const unit of knowledge.units.filter(isPresent)) {
      const at = place(unit);
      this.#marks.circle(at.x, at.y, unit.seat === null ? 2.2 : 3.2).fill(sight.teamColor(unit.team));
    }
    const [from, to] = [place(camera.toWorld({ x: 0, y: 0 })), place(camera.toWorld({ x: width, y: height }))];
    const [left, top] = [Math.max(0, from.x), Math.max(0, from.y)];
    const [right, bottom] = [Math.min(w, to.x), Math.min(h, to.y)];
    if (right > left && bottom > top) {
      this.#marks.rect(left, top, right - left, bottom - top).stroke({ width: 1.2, color: "#ffffff", alpha: 0.85 });
    }
    this.#marks.rect(0, 0, w, h).stroke({ width: 1, color: "#8fb8d8", alpha: 0.8 });
  }
}
