import { describe, expect, it } from "vitest";
import {
  asteroidAngle,
  asteroidPlace,
  asteroidRadius,
  fitCanvas,
  mapPlacement,
  neighborAngle,
  rockSize,
  threatLevel,
} from "./layout";

describe("asteroids", () => {
  it("stand at sixteenths of a circle", () => {
    expect(asteroidAngle(0)).toBe(0);
    expect(asteroidAngle(4)).toBeCloseTo(Math.PI / 2);
    expect(asteroidAngle(15)).toBeCloseTo((2 * Math.PI * 15) / 16);
  });

  it("come nearer as they become known", () => {
    expect(asteroidRadius(0)).toBe(92);
    expect(asteroidRadius(0.1)).toBeCloseTo(90);
    expect(asteroidRadius(1)).toBe(72);
  });

  it("are placed by angle and radius together", () => {
    expect(asteroidPlace(8, 1).x).toBeCloseTo(-72);
    expect(asteroidPlace(4, 0).y).toBeCloseTo(92);
  });

  it.each([
    [0, "large"],
    [0.33, "large"],
    [0.34, "medium"],
    [0.66, "medium"],
    [0.67, "small"],
    [1, "small"],
  ])("at depletion %s look %s", (depletion, size) => {
    expect(rockSize(depletion)).toBe(size);
  });
});

describe("the mini-map", () => {
  it("puts neighbors at sixths of a circle", () => {
    expect(neighborAngle(3)).toBeCloseTo(Math.PI);
  });

  it.each([
    [0.44, "low"],
    [0.45, "medium"],
    [0.74, "medium"],
    [0.75, "high"],
  ])("colors a threat of %s as %s", (threat, level) => {
    expect(threatLevel(threat)).toBe(level);
  });

  it("stays inside any viewport", () => {
    for (const [width, height] of [
      [320, 240],
      [1600, 900],
      [700, 1000],
    ] as const) {
      const { center, half } = mapPlacement(width, height);
      expect(center.x + half).toBeLessThanOrEqual(width);
      expect(center.y + half).toBeLessThanOrEqual(height);
    }
  });
});

describe("fitting", () => {
  it("keeps the whole canvas visible in wide and tall viewports", () => {
    expect(fitCanvas(3600, 260).scale).toBe(1);
    expect(fitCanvas(360, 2600).scale).toBe(1);
    expect(fitCanvas(720, 520)).toEqual({ scale: 2, center: { x: 360, y: 260 } });
  });
});
