import { expect, test } from "vitest";
import { bandAround, bandOfShares, halfWidthsFromNeighbors, halfWidthsFromSpread } from "./bands";

test("a window's own spread narrows with the root of its episodes", () => {
  expect(halfWidthsFromSpread([2, 2], [4, 16])).toEqual([expect.closeTo(1.96), expect.closeTo(0.98)]);
});

test("one episode or none has no spread", () => {
  expect(halfWidthsFromSpread([0, null, 3], [1, 0, null])).toEqual([null, null, null]);
});

test("equal neighbors leave no width", () => {
  expect(halfWidthsFromNeighbors([4, 4, 4, 4])).toEqual([0, 0, 0, 0]);
});

test("neighbors without a value are left out", () => {
  const [first] = halfWidthsFromNeighbors([1, null, 2, 3], 9);

  expect(first).toBeCloseTo((1.96 * 1) / Math.sqrt(3));
});

test("too few neighbors give no width", () => {
  expect(halfWidthsFromNeighbors([1, 2])).toEqual([null, null]);
});

test("a band lies on both sides of the line and closes where nothing is known", () => {
  expect(bandAround([10, null, 5], [1, 1, null])).toEqual({ low: [9, null, 5], high: [11, null, 5] });
});

test("a band of shares stays between none and all", () => {
  expect(bandOfShares({ low: [-0.2, 0.4, null], high: [0.3, 1.2, null] })).toEqual({
    low: [0, 0.4, null],
    high: [0.3, 1, null],
  });
});
