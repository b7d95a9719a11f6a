import { expect, test } from "vitest";
import { labelRoom } from "./chartOptions";

test("labels of the vertical axis have the usual room, and more where they are longer", () => {
  const usual = labelRoom(["0.25", "0.5"]);

  expect(labelRoom(null)).toBe(usual);
  expect(labelRoom(["−100"])).toBe(usual);
  expect(labelRoom(["−1.4 × 10⁻⁷"])).toBeGreaterThan(usual);
});
