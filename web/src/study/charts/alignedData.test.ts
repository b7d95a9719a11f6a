import { expect, test } from "vitest";
import { alignSeries, COLUMNS_PER_RUN, nearestValue } from "./alignedData";

test("runs with other windows share one axis", () => {
  const [x, first, , , second, low] = alignSeries([
    { x: [100, 200], y: [1, 2], band: null },
    { x: [150, 200], y: [5, 6], band: { low: [4, 5], high: [6, 7] } },
  ]);

  expect(x).toEqual([100, 150, 200]);
  expect(first).toEqual([1, null, 2]);
  expect(second).toEqual([null, 5, 6]);
  expect(low).toEqual([null, 4, 5]);
});

test("a run whose windows have not come keeps its columns", () => {
  const data = alignSeries([
    { x: [], y: [], band: null },
    { x: [1], y: [5], band: null },
  ]);

  expect(data).toHaveLength(1 + 2 * COLUMNS_PER_RUN);
  expect(data[1]).toEqual([null]);
  expect(data[4]).toEqual([5]);
});

test("the cursor finds the nearest value of a run", () => {
  expect(nearestValue([1, undefined, null, 4], 2)).toBe(3);
  expect(nearestValue([undefined, 7], 0)).toBe(1);
  expect(nearestValue([null, null], 1)).toBe(1);
});
