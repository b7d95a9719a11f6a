import { expect, test } from "vitest";
import { sparklinePath } from "./sparklinePath";

test("a curve fills its box", () => {
  expect(sparklinePath([0, 5, 10], 100, 20)).toBe("M0.0 20.0L50.0 10.0L100.0 0.0");
});

test("a level curve runs through the middle", () => {
  expect(sparklinePath([3, 3], 10, 20)).toBe("M0.0 10.0L10.0 10.0");
});

test("gaps are bridged in their place", () => {
  expect(sparklinePath([0, null, null, 6], 30, 6)).toBe("M0.0 6.0L30.0 0.0");
});

test("one value makes no curve", () => {
  expect(sparklinePath([null, 1], 10, 10)).toBeNull();
});
