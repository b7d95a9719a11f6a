import { expect, it } from "vitest";
import { laneAt, laneBeside, layOut } from "./layout";

const PICTURE = { rows: 72, columns: 80 };

it.each([
  [64, 80 / 72, 8, 8],
  [1024, 80 / 72, 32, 32],
  [1, 2, 1, 1],
  [256, 1.35, 16, 16],
  [7, 1, 3, 3],
])("lays %d copies out", (copies, aspect, across, down) => {
  expect(layOut(copies, PICTURE, aspect)).toEqual({ across, down });
});

it("knows which copy hangs where", () => {
  const layout = { across: 4, down: 2 };
  expect(laneAt(0.01, 0.01, 7, layout)).toBe(0);
  expect(laneAt(0.6, 0.9, 7, layout)).toBe(6);
  expect(laneAt(0.99, 0.99, 7, layout)).toBeNull();
  expect(laneAt(1.2, 0.5, 7, layout)).toBeNull();
});

it("goes from copy to copy and not beyond the last", () => {
  const layout = { across: 4, down: 2 };
  expect(laneBeside(1, "ArrowDown", 7, layout)).toBe(5);
  expect(laneBeside(3, "ArrowDown", 7, layout)).toBe(3);
  expect(laneBeside(0, "ArrowLeft", 7, layout)).toBe(0);
});
