import { describe, expect, test } from "vitest";
import { runRow } from "../../shared/testing";
import { filterRuns, knownTags, sortRuns } from "./filters";

const RUNS = [
  runRow({ run_id: "belt-2", status: "running", env_steps_total: 50, updated_at: "2026-01-03T00:00:00Z" }),
  runRow({ run_id: "belt-10", tags: ["best_so_far", "every_window"], updated_at: "2026-01-02T00:00:00Z" }),
  runRow({ run_id: "tide-1", world: "tidebreak", env_steps_total: null, tags: ["every_window"] }),
];
const EVERYTHING = { search: "", statuses: [], tags: [] };
const ids = (runs: { run_id: string }[]) => runs.map((run) => run.run_id);

describe("filterRuns", () => {
  test("an empty filter keeps all", () => {
    expect(filterRuns(RUNS, EVERYTHING)).toHaveLength(3);
  });

  test("every word must occur, in any field and any case", () => {
    expect(ids(filterRuns(RUNS, { ...EVERYTHING, search: "BELT  running" }))).toEqual(["belt-2"]);
  });

  test("any of the statuses will do, all of the tags must be there", () => {
    expect(ids(filterRuns(RUNS, { ...EVERYTHING, statuses: ["running", "failed"] }))).toEqual(["belt-2"]);
    expect(ids(filterRuns(RUNS, { ...EVERYTHING, tags: ["every_window", "best_so_far"] }))).toEqual(["belt-10"]);
  });
});

describe("sortRuns", () => {
  test("names sort by the numbers in them", () => {
    expect(ids(sortRuns(RUNS, { key: "name", isDescending: false }))).toEqual(["belt-2", "belt-10", "tide-1"]);
  });

  test("newest first", () => {
    expect(ids(sortRuns(RUNS, { key: "updated", isDescending: true }))).toEqual(["belt-2", "belt-10", "tide-1"]);
  });

  test("a run without steps counts as the shortest", () => {
    expect(ids(sortRuns(RUNS, { key: "steps", isDescending: false }))[0]).toBe("tide-1");
  });
});

test("the most common tag comes first", () => {
  expect(knownTags(RUNS)).toEqual(["every_window", "best_so_far"]);
});
