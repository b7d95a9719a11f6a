import { expect, it } from "vitest";
import { fittingWidth } from "./Screen";

it.each([
  ["a wide place", 1000, 600, 1, 640],
  ["a narrow place", 358, 700, 1, 320],
  ["a dense display", 358, 700, 3, 320],
  ["a display of one and a half", 400, 400, 1.5, 320],
  ["hardly any room", 40, 40, 1, 160],
])("fits %s with whole pixels", (_what, width, height, density, expected) => {
  expect(fittingWidth(width, height, 160, 144, density)).toBeCloseTo(expected);
});
