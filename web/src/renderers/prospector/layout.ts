/** Where things stand, in units of a 360 x 260 canvas whose middle is the ship. */
import type { Point } from "../geometry";

export type { Point };

const CANVAS = { width: 360, height: 260 } as const;
const ASTEROID_SLOTS = 16;
const NEIGHBOR_SLOTS = 6;
const ORBIT_KNOWN = 72;
const ORBIT_SPREAD = 20;

export type RockSize = "large" | "medium" | "small";
export type ThreatLevel = "low" | "medium" | "high";

export const ROCK_RADIUS: Readonly<Record<RockSize, number>> = { large: 10.5, medium: 8, small: 5.5 };

export function around(center: Point, radius: number, angle: number): Point {
  return { x: center.x + radius * Math.cos(angle), y: center.y + radius * Math.sin(angle) };
}

export function asteroidAngle(slot: number): number {
  return (2 * Math.PI * slot) / ASTEROID_SLOTS;
}

/** The better a rock is known, the nearer it is drawn. */
export function asteroidRadius(scanConf: number): number {
  return ORBIT_KNOWN + ORBIT_SPREAD * (1 - scanConf);
}

export function asteroidPlace(slot: number, scanConf: number): Point {
  return around({ x: 0, y: 0 }, asteroidRadius(scanConf), asteroidAngle(slot));
}

export function rockSize(depletion: number): RockSize {
  if (depletion <= 0.33) {
    return "large";
  }
  return depletion <= 0.66 ? "medium" : "small";
}

export function neighborAngle(slot: number): number {
  return (2 * Math.PI * slot) / NEIGHBOR_SLOTS;
}

export function threatLevel(threat: number): ThreatLevel {
  if (threat < 0.45) {
    return "low";
  }
  return threat < 0.75 ? "medium" : "high";
}

export interface Fit {
  /** Pixels per unit. */
  scale: number;
  center: Point;
}

/** Fits the canvas into a viewport; what is left over at the sides belongs to the sky. */
export function fitCanvas(width: number, height: number): Fit {
  const scale = Math.max(0.1, Math.min(width / CANVAS.width, height / CANVAS.height));
  return { scale, center: { x: width / 2, y: height / 2 } };
}

export interface MapPlacement {
  center: Point;
  orbit: number;
  half: number;
}

/** Puts the mini-map into the lower right corner, in pixels. */
export function mapPlacement(width: number, height: number): MapPlacement {
  const half = Math.min(92, Math.max(56, Math.min(width * 0.09, height * 0.17)));
  const margin = 12;
  return { center: { x: width - half - margin, y: height - half - margin }, orbit: half * 0.62, half };
}
