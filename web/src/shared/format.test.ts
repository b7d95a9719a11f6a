import { describe, expect, test } from "vitest";
import { formatAge, formatCompact, formatDuration, formatNumber, formatPercent } from "./format";

describe("formatNumber", () => {
  test.each([
    [0, "0"],
    [0.5, "0.5"],
    [1.23456, "1.23"],
    [22746.66, "22,747"],
    [-141.26, "-141.3"],
    [0.00013773, "1.4e-4"],
    [null, "–"],
    [Number.NaN, "–"],
  ])("shows %s as %s", (value, shown) => {
    expect(formatNumber(value)).toBe(shown);
  });
});

test("large counts are shortened", () => {
  expect(formatCompact(12_025_856)).toBe("12.03M");
});

test("shares become percentages", () => {
  expect(formatPercent(0.7777)).toBe("77.8 %");
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
