import { Container, Graphics } from "pixi.js";
import type { Labels } from "../../scene/labels";
import { kilometers } from "../words";
import type { Sight } from "./sight";

const BAR_PX = 110;
const BAR_STEPS_M = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000] as const;
const RAIN = { NONE: "", LIGHT_RAIN: " · light rain", HEAVY_RAIN: " · heavy rain", STORM: " · storm" } as const;

/** Weather in words, the wind as an arrow, and a bar to measure by. */
export class Instruments {
  readonly view = new Container();
  readonly #canvas = new Graphics();

  constructor() {
    this.view.addChild(this.#canvas);
  }

  draw({ state, camera, height }: Sight, labels: Labels): void {
    const { sea_state, visibility_km, precipitation, wind } = state.weather;
    const speed = Math.hypot(...wind);
    this.#canvas.clear();
    const words = `${clock(state.time)} · sea state ${sea_state.toFixed(0)} · sight ${visibility_km.toFixed(0)} km${RAIN[precipitation]}`;
    labels.put(words, 14, height - 44);
    const step = BAR_STEPS_M.findLast((meters) => meters * camera.scale <= BAR_PX) ?? BAR_STEPS_M[0];
    const y = height - 16;
    const length = step * camera.scale;
    this.#canvas
      .moveTo(14, y - 4)
      .lineTo(14, y)
      .lineTo(14 + length, y)
      .lineTo(14 + length, y - 4)
      .stroke({ width: 2, color: "#e2e8f6", alpha: 0.9 });
    labels.put(kilometers(step), 20 + length, y - 11, { size: 10 });
    this.#drawWind(wind, speed, 84 + length, y - 6, labels);
  }

  #drawWind(wind: readonly [number, number], speed: number, x: number, y: number, labels: Labels): void {
    labels.put(`wind ${speed.toFixed(0)} m/s`, x + 14, y - 5, { size: 10 });
    if (speed < 0.1) {
      return;
    }
    const [dx, dy] = [wind[0] / speed, -wind[1] / speed];
    const tip = { x: x + dx * 9, y: y + dy * 9 };
    this.#canvas
      .moveTo(x - dx * 9, y - dy * 9)
      .lineTo(tip.x, tip.y)
      .lineTo(tip.x - dx * 6 - dy * 4, tip.y - dy * 6 + dx * 4)
      .moveTo(tip.x, tip.y)
      .lineTo(tip.x - dx * 6 + dy * 4, tip.y - dy * 6 - dx * 4)
      .stroke({ width: 2, color: "#e2e8f6", alpha: 0.9 });
  }
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
