import { expect, test } from "vitest";
import { windowRow } from "../../shared/testing";
import { windowsToCsv } from "./csv";

test("rows of several runs share all columns, ids first", () => {
  const csv = windowsToCsv([
    windowRow({ window_id: 0, run_id: "a", return_mean: null }),
    windowRow({ window_id: 0, run_id: "b", entropy: 0.25 }),
  ]);
  const [header, first, second, end] = csv.split("\r\n");
  const columns = header?.split(",") ?? [];

  expect(columns.slice(0, 4)).toEqual(["run_id", "world", "window_id", "env_steps_total"]);
  expect(columns).toContain("entropy");
  expect(first?.split(",")[columns.indexOf("return_mean")]).toBe("");
  expect(second?.split(",")[columns.indexOf("entropy")]).toBe("0.25");
  expect(end).toBe("");
});

test("quotes, commas and objects survive", () => {
  const csv = windowsToCsv([windowRow({ window_id: 0, run_id: 'x,"y"', end_reason_counts: { lost: 1, won: 2 } })]);

  expect(csv).toContain('"x,""y"""');
  expect(csv).toContain('"{""lost"":1,""won"":2}"');
});
