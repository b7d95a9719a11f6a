import { expect, test } from "vitest";
import { runRow } from "../../shared/testing";
import { firstToStudy } from "./firstToStudy";

const broken = runRow({ run_id: "broken", status: "unreadable", windows_emitted: null });
const bots = runRow({ run_id: "bots", windows_emitted: 0 });
const trained = runRow({ run_id: "trained", windows_emitted: 12 });

test.each([
  [[broken, bots, trained], "trained"],
  [[broken, bots], "bots"],
  [[broken], null],
  [[], null],
])("opens the first run with curves", (runs, first) => {
  expect(firstToStudy(runs)).toBe(first);
});
