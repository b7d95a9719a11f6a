import { describe, expect, it } from "vitest";
import { easeOut, lerpAngle } from "../scene/tween";
import { motionBetween } from "./motion";
import { sampleState } from "./sample";

const here = sampleState();
const known = sampleState({
  asteroids: here.asteroids.map((asteroid) => ({ ...asteroid, scan_conf: 1, depletion: 0.8 })),
});
const elsewhere = sampleState({ node: { index: 9, type: "hazard", steps_to_station: 2 } });
const docked = sampleState({ node: { index: 0, type: "station", steps_to_station: 0 }, asteroids: [] });

describe("motion", () => {
  it("blends rocks of the same place", () => {
    const motion = motionBetween(here, known);
    expect(motion.asteroid(0, 0)).toEqual({ scanConf: 0.5, depletion: 0 });
    expect(motion.asteroid(0, 0.5)).toEqual({ scanConf: 0.75, depletion: 0.4 });
    expect(motion.asteroid(0, 1)).toEqual({ scanConf: 1, depletion: 0.8 });
  });

  it("does not blend rocks of different places", () => {
    const motion = motionBetween(here, elsewhere);
    expect(motion.hasTraveled).toBe(true);
    expect(motion.asteroid(0, 0).scanConf).toBe(0.5);
  });

  it("fades the station in on arrival and out on leaving", () => {
    expect(motionBetween(here, docked).dock(0.25)).toBe(0.25);
    expect(motionBetween(docked, here).dock(0.25)).toBe(0.75);
    expect(motionBetween(null, docked).dock(0)).toBe(1);
  });
});

it("turns the short way round", () => {
  expect(lerpAngle(0.1, 2 * Math.PI - 0.1, 1)).toBeCloseTo(-0.1);
  expect(lerpAngle(3, -3, 0.5)).toBeCloseTo(Math.PI);
});

it("eases from nothing to everything and stays inside", () => {
  expect([easeOut(-1), easeOut(0), easeOut(1), easeOut(2)]).toEqual([0, 0, 1, 1]);
});
