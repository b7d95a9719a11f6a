import { expect, test } from "vitest";
import type { ScoreboardMetric, ScoreboardRow } from "./calls";
import { countMissing, NAME, nextOrder, sortRows, usualOrder } from "./order";

const PROFIT: ScoreboardMetric = { key: "profit", label: "Profit", unit: "", better: "higher" };
const DISTANCE: ScoreboardMetric = { key: "distance", label: "Distance", unit: "", better: "lower" };

function row(name: string, profit: number | null, status: ScoreboardRow["status"] = "known"): ScoreboardRow {
  const score = profit === null ? null : { profit: { value: profit, low: profit, high: profit } };
  return { name, kind: "script", run_id: null, status, scores: score } as ScoreboardRow;
}

const ROWS = [row("b", 1), row("c", null, "missing"), row("a", 5)];
const names = (rows: ScoreboardRow[]) => rows.map(({ name }) => name).join("");

test("begins with the best of the first metric", () => {
  expect(names(sortRows(ROWS, usualOrder([PROFIT])))).toBe("abc");
  expect(usualOrder([DISTANCE])).toEqual({ key: "distance", isDescending: false });
});

test("turns round when a column is chosen again, and results that are missing stay last", () => {
  const turned = nextOrder(usualOrder([PROFIT]), PROFIT);

  expect(turned.isDescending).toBe(false);
  expect(names(sortRows(ROWS, turned))).toBe("bac");
});

test("sorts by name, too", () => {
  const byName = nextOrder(usualOrder([PROFIT]), NAME);

  expect(names(sortRows(ROWS, byName))).toBe("abc");
  expect(names(sortRows(ROWS, nextOrder(byName, NAME)))).toBe("cba");
});

test("counts who can still play", () => {
  expect(countMissing([...ROWS, row("d", null, "playing"), row("e", null, "unfit")])).toBe(2);
});
