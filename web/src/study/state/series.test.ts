import { expect, test } from "vitest";
import { windowRow } from "../../shared/testing";
import { chartCatalog } from "./chartCatalog";
import { buildSeries, column } from "./series";
import { xValues } from "./xAxis";

const [RETURN] = chartCatalog(undefined);
const WINDOWS = [
  windowRow({ window_id: 0, return_mean: 1, return_std: 2, episodes_completed: 4, wall_seconds: 1.5 }),
  windowRow({ window_id: 1, return_mean: null, return_std: null, episodes_completed: 0, wall_seconds: 2 }),
  windowRow({ window_id: 2, return_mean: 3, return_std: 2, episodes_completed: 16, wall_seconds: 2.5 }),
];

test("a column has null where a window has no finite number", () => {
  expect(column(WINDOWS, "return_mean")).toEqual([1, null, 3]);
  expect(column(WINDOWS, "created_at")).toEqual([null, null, null]);
});

test("the x axis counts steps, windows or training time", () => {
  expect(xValues(WINDOWS, "steps")).toEqual([100, 200, 300]);
  expect(xValues(WINDOWS, "window")).toEqual([0, 1, 2]);
  expect(xValues(WINDOWS, "wall")).toEqual([1.5, 3.5, 6]);
});

test("the return's band comes from the spread of its episodes", () => {
  const series = buildSeries(WINDOWS, RETURN as NonNullable<typeof RETURN>, {
    xAxis: "window",
    smoothing: 0,
    hasBands: true,
  });

  expect(series.y).toEqual([1, null, 3]);
  expect(series.band?.high).toEqual([expect.closeTo(2.96), null, expect.closeTo(3.98)]);
});

test("no band is computed when none is shown", () => {
  const series = buildSeries(WINDOWS, RETURN as NonNullable<typeof RETURN>, {
    xAxis: "steps",
    smoothing: 0.5,
    hasBands: false,
  });

  expect(series.band).toBeNull();
});
