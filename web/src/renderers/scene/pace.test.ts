import { expect, it } from "vitest";
import { Pace } from "./pace";

it("glides from one moment to the next in the time between them", () => {
  const pace = new Pace();
  for (let moment = 0; moment < 12; moment += 1) {
    pace.begin(moment * 1000, moment > 0);
  }
  expect(pace.advance(500)).toBeCloseTo(0.5, 1);
  expect(pace.advance(800)).toBe(1);
});

it("does not glide over a jump", () => {
  const pace = new Pace();
  pace.begin(0, false);
  expect(pace.advance(0)).toBe(1);
});
