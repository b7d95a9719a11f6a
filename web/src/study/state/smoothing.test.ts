import { describe, expect, test } from "vitest";
import { smooth } from "./smoothing";

describe("smooth", () => {
  test("without weight gives the values back", () => {
    expect(smooth([1, null, 3], 0)).toEqual([1, null, 3]);
  });

  test("starts at the first value instead of creeping up from zero", () => {
    expect(smooth([10, 10, 10], 0.9)).toEqual([expect.closeTo(10), expect.closeTo(10), expect.closeTo(10)]);
  });

  test("weighs the past", () => {
    const [, second] = smooth([0, 1], 0.5);

    expect(second).toBeCloseTo(2 / 3);
  });

  test("passes over windows without a value", () => {
    const smoothed = smooth([0, null, 1], 0.5);

    expect(smoothed[1]).toBeNull();
    expect(smoothed[2]).toBeCloseTo(2 / 3);
  });

  test("stays between the extremes", () => {
    const values = [5, -3, 8, 0.5, -2, 7];

    for (const value of smooth(values, 0.7)) {
      expect(value).toBeGreaterThanOrEqual(-3);
      expect(value).toBeLessThanOrEqual(8);
    }
  });
});
