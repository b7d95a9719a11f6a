import { Container, Graphics, Sprite, type Texture } from "pixi.js";
import { between, depthNodes } from "../grid";
import { seaColor } from "../palette";
import type { Shape, TidebreakState } from "../state";
import { rasterTexture } from "./raster";
import { brokenRing } from "./rings";
import type { Sight } from "./sight";

const RASTER = 192;
const FLAT = 2;
/** Lines of the grid are this many pixels apart or more. */
const GRID_PX = 70;
const GRID_STEPS_M = [250, 500, 1000, 2000, 5000, 10_000] as const;
const ZONE_COLORS: Readonly<Record<string, string>> = {
  SENSOR_INTERFERENCE: "#c4b5fd",
  HAZARD: "#fb923c",
  CURRENT: "#7dd3fc",
  SPEED_BONUS: "#86efac",
  ECM: "#f0abfc",
  VENT: "#fca5a5",
};

/** The sea itself: depth as tint, land, rocks, zones, and a grid to judge distances by. */
export class Sea {
  readonly view = new Container();
  readonly #depth = new Sprite();
  readonly #canvas = new Graphics();
  #drawnDepth = "";
  thumbnail: Texture | null = null;

  constructor() {
    this.view.addChild(this.#depth, this.#canvas);
  }

  draw(sight: Sight): void {
    const { camera, state } = sight;
    this.#renewDepth(state);
    const [west, south, east, north] = state.bounds;
    const corner = camera.toScreen({ x: west, y: north });
    this.#depth.position.set(corner.x, corner.y);
    this.#depth.setSize((east - west) * camera.scale, (north - south) * camera.scale);
    this.#canvas.clear();
    this.#drawGrid(sight);
    for (const zone of state.map.zones) {
      this.#drawShape(sight, zone, ZONE_COLORS[zone.effect] ?? "#e2e8f6", 0.1 + 0.15 * zone.intensity, false);
    }
    for (const rock of state.map.obstacles) {
      this.#drawShape(sight, rock, rock.solid ? "#6b705c" : "#94a3b8", rock.solid ? 0.95 : 0.3, rock.solid);
    }
    this.#canvas
      .rect(corner.x, corner.y, (east - west) * camera.scale, (north - south) * camera.scale)
      .stroke({ width: 1.5, color: "#8fb8d8", alpha: state.map.edges === "closed" ? 0.7 : 0.3 });
  }

  #renewDepth({ map }: TidebreakState): void {
    const key = "uniform_m" in map.depth ? `${map.depth.uniform_m}` : map.depth.data;
    if (key === this.#drawnDepth) {
      return;
    }
    this.#drawnDepth = key;
    this.thumbnail?.destroy(true);
    const { rows, columns, meters } = depthNodes(map.depth);
    const size = "uniform_m" in map.depth ? FLAT : RASTER;
    this.thumbnail = rasterTexture(size, (u, v) => seaColor(between(meters, columns, rows, u, v)));
    this.#depth.texture = this.thumbnail;
  }

  #drawGrid({ camera, state }: Sight): void {
    const step = GRID_STEPS_M.find((meters) => meters * camera.scale >= GRID_PX) ?? 10_000;
    const [west, south, east, north] = state.bounds;
    for (let x = Math.ceil(west / step) * step; x <= east; x += step) {
      const [low, high] = [camera.toScreen({ x, y: south }), camera.toScreen({ x, y: north })];
      this.#canvas.moveTo(low.x, low.y).lineTo(high.x, high.y);
    }
    for (let y = Math.ceil(south / step) * step; y <= north; y += step) {
      const [left, right] = [camera.toScreen({ x: west, y }), camera.toScreen({ x: east, y })];
      this.#canvas.moveTo(left.x, left.y).lineTo(right.x, right.y);
    }
    this.#canvas.stroke({ width: 1, color: "#bfe3f5", alpha: 0.08 });
  }

  #drawShape({ camera }: Sight, shape: Shape, color: string, alpha: number, isSolid: boolean): void {
    const stroke = { width: 1.5, color, alpha: 0.85 };
    if (shape.vertices.length > 0) {
      const points = shape.vertices.map(([x, y]) => camera.toScreen({ x, y }));
      this.#canvas.poly(points).fill({ color, alpha }).stroke(stroke);
      return;
    }
    const at = camera.toScreen(shape);
    const radius = shape.radius * camera.scale;
    this.#canvas.circle(at.x, at.y, radius).fill({ color, alpha });
    if (isSolid) {
      this.#canvas.circle(at.x, at.y, radius).stroke(stroke);
    } else {
      brokenRing(this.#canvas, at, radius, { parts: 24, share: 0.5 }, stroke);
    }
  }
}
