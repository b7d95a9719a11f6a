import type { Texture } from "pixi.js";
import type { Edges } from "../layout";

/** Pixels of a painted tile; sharp on most screens at most zooms. */
const TILE_PX = 40;

/** A canvas that is painted on in tiles. */
export interface Brush {
  canvas: HTMLCanvasElement;
  pen: CanvasRenderingContext2D;
}

/** Makes a canvas for an area of the town. */
export function newBrush({ west, north, east, south }: Edges, tilePx = TILE_PX): Brush {
  const canvas = document.createElement("canvas");
  canvas.width = (east - west) * tilePx;
  canvas.height = (south - north) * tilePx;
  const pen = canvas.getContext("2d");
  if (pen === null) {
    throw new Error("This browser cannot paint on a canvas.");
  }
  pen.scale(tilePx, tilePx);
  pen.translate(-west, -north);
  return { canvas, pen };
}

export function fillBox(
  pen: CanvasRenderingContext2D,
  color: string,
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  pen.fillStyle = color;
  pen.fillRect(x, y, w, h);
}

export function fillRound(
  pen: CanvasRenderingContext2D,
  color: string,
  [x, y, w, h]: readonly [number, number, number, number],
  radius: number,
): void {
  pen.fillStyle = color;
  pen.beginPath();
  pen.roundRect(x, y, w, h, radius);
  pen.fill();
}

/** Paints a picture with its foot at a place; returns how tall it is. */
export function stamp(pen: CanvasRenderingContext2D, picture: Texture, x: number, foot: number, width: number): number {
  const { frame, source } = picture;
  const height = (width * frame.height) / frame.width;
  const [sx, sy, sw, sh] = [frame.x, frame.y, frame.width, frame.height].map((at) => at * source.resolution);
  pen.drawImage(
    source.resource as HTMLCanvasElement,
    sx ?? 0,
    sy ?? 0,
    sw ?? 0,
    sh ?? 0,
    x - width / 2,
    foot - height,
    width,
    height,
  );
  return height;
}

/** Returns a color made darker (below 0) or lighter (above 0) by a share. */
export function shade(color: string, by: number): string {
  const target = by < 0 ? 0 : 255;
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const mixed = parts.map((part) => Math.round(part + (target - part) * Math.abs(by)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
