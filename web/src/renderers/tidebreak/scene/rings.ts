import type { Graphics, StrokeInput } from "pixi.js";
import type { Point } from "../../geometry";

const DASHED = { parts: 10, share: 0.6 } as const;
const DOTTED = { parts: 22, share: 0.22 } as const;

/** Draws a circle in the style of a depth layer: solid on the surface, dashed submerged, dotted abyssal. */
export function layerRing(canvas: Graphics, at: Point, radius: number, layer: number, stroke: StrokeInput): void {
  if (layer === 0) {
    canvas.circle(at.x, at.y, radius).stroke(stroke);
  } else {
    brokenRing(canvas, at, radius, layer === 1 ? DASHED : DOTTED, stroke);
  }
}

/** Draws a circle of arcs. */
export function brokenRing(
  canvas: Graphics,
  at: Point,
  radius: number,
  { parts, share }: { parts: number; share: number },
  stroke: StrokeInput,
): void {
  for (let part = 0; part < parts; part += 1) {
    const start = (part / parts) * 2 * Math.PI;
    canvas
      .moveTo(at.x + Math.cos(start) * radius, at.y + Math.sin(start) * radius)
      .arc(at.x, at.y, radius, start, start + (share / parts) * 2 * Math.PI)
      .stroke(stroke);
  }
}
