import type { Graphics } from "pixi.js";
import type { Point } from "../layout";

/** Where an effect happens, in units around the ship. */
export interface EffectPlace {
  /** The rock it is about; the ship where there is none. */
  target: Point;
  hasTarget: boolean;
  /** Direction of flight, radians. */
  heading: number;
  color: (key: string) => string;
  /** The same numbers for the same step, in 0..1. */
  roll: (index: number) => number;
}

/** The picture of the manifest that goes with an effect: where it appears, how large, and how it moves. */
export interface Glyph {
  at: "ship" | "target" | "above";
  units: number;
  spin?: number;
  rise?: number;
  grow?: number;
}

export interface EffectKind {
  ms: number;
  glyph?: Glyph;
  /** Draws the effect `share` of the way through its life. */
  draw: (canvas: Graphics, place: EffectPlace, share: number) => void;
}

export const SHIP: Point = { x: 0, y: 0 };

export function fade(share: number): number {
  return share < 0.15 ? share / 0.15 : 1 - (share - 0.15) / 0.85;
}

export function along(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** Sparks that fly out of a point and die away. */
export function sparks(
  canvas: Graphics,
  place: EffectPlace,
  center: Point,
  look: { count: number; reach: number; color: string; size: number; offset?: number },
  share: number,
): void {
  for (let index = 0; index < look.count; index += 1) {
    const seed = index + (look.offset ?? 0);
    const angle = place.roll(seed) * Math.PI * 2;
    const reach = look.reach * (0.35 + 0.65 * place.roll(seed + 101)) * (1 - (1 - share) ** 2);
    const size = look.size * (1 - share) * (0.6 + 0.6 * place.roll(seed + 211));
    canvas
      .circle(center.x + Math.cos(angle) * reach, center.y + Math.sin(angle) * reach, Math.max(0.2, size))
      .fill({ color: look.color, alpha: 1 - share });
  }
}

/** A circle that opens. */
export function ripple(
  canvas: Graphics,
  center: Point,
  radius: number,
  color: string,
  alpha: number,
  width = 1.6,
): void {
  canvas.circle(center.x, center.y, Math.max(0.1, radius)).stroke({ width, color, alpha });
}

/** A line of light with a soft edge. */
export function beam(canvas: Graphics, from: Point, to: Point, color: string, alpha: number, width: number): void {
  canvas
    .moveTo(from.x, from.y)
    .lineTo(to.x, to.y)
    .stroke({ width: width * 3.2, color, alpha: alpha * 0.22 });
  canvas.moveTo(from.x, from.y).lineTo(to.x, to.y).stroke({ width, color, alpha });
  canvas
    .moveTo(from.x, from.y)
    .lineTo(to.x, to.y)
    .stroke({ width: width * 0.35, color: 0xffffff, alpha });
}
