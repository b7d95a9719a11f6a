import { describe, expect, test } from "vitest";
import {
  formatAge,
  formatChange,
  formatCompact,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatPoints,
  formatWholePercent,
} from "./format";

describe("formatNumber", () => {
  test.each([
    [0, "0"],
    [0.5, "0.5"],
    [1.23456, "1.23"],
    [22746.66, "22,747"],
    [-141.26, "−141.3"],
    [0.00013773, "0.00014"],
    [-0.0005, "−0.0005"],
    [-1.42e-7, "−1.4 × 10⁻⁷"],
    [null, "–"],
    [Number.NaN, "–"],
  ])("shows %s as %s", (value, shown) => {
    expect(formatNumber(value)).toBe(shown);
  });
});

test("large counts are shortened", () => {
  expect(formatCompact(12_025_856)).toBe("12.03M");
  expect(formatCompact(883.42)).toBe("883.4");
  expect(formatCompact(-150_000)).toBe("−150K");
});

test("shares become percentages, their changes points", () => {
  expect(formatPercent(0.7777)).toBe("77.8%");
  expect(formatPercent(-0.12345)).toBe("−12.3%");
  expect(formatWholePercent(0.7777)).toBe("78%");
  expect(formatWholePercent(-0.4)).toBe("−40%");
  expect(formatPoints(0.0518)).toBe("+5.2 points");
  expect(formatPoints(-0.5)).toBe("−50 points");
  expect(formatPoints(0.01)).toBe("+1 point");
  expect(formatPoints(Number.NaN)).toBe("–");
});

test.each([
  [0, "0", "0%", "0 points"],
  [-0, "0", "0%", "0 points"],
  [-0.0004, "−0.0004", "0%", "0 points"],
  [0.0004, "+0.0004", "0%", "0 points"],
])("what is rounded to nothing has no sign: %s", (value, change, percent, points) => {
  expect([formatChange(value), formatPercent(value), formatPoints(value)]).toEqual([change, percent, points]);
});

test("counts agree with their noun", () => {
  expect(formatCount(1, "decision")).toBe("1 decision");
  expect(formatCount(1204, "decision")).toBe("1,204 decisions");
});

test.each([
  [4.25, "4.3 s"],
  [192, "3 m 12 s"],
  [7260, "2 h 1 m"],
  [180_000, "2 d 2 h"],
])("%d seconds read as %s", (seconds, shown) => {
  expect(formatDuration(seconds)).toBe(shown);
});

test("ages count from the given moment", () => {
  const now = Date.parse("2026-01-01T01:00:00Z");

  expect(formatAge("2026-01-01T00:58:00Z", now)).toBe("2 min ago");
  expect(formatAge("2026-01-01T01:00:05Z", now)).toBe("just now");
  expect(formatAge("yesterday", now)).toBe("–");
});
