import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import { keys } from "../../api/keys";
import type { ReplayList, RunList, WindowRow } from "../../api/types";
import { replayEntry, runRow, windowRow } from "../testing";
import { applyFollowed } from "./applyFollowed";
import { mergeReplay } from "./mergeReplays";
import { mergeWindow } from "./mergeWindows";

const ids = (windows: readonly WindowRow[]) => windows.map((window) => window.window_id);

describe("mergeWindow", () => {
  const windows = [windowRow({ window_id: 0 }), windowRow({ window_id: 2 })];

  test("appends the next and inserts a late one", () => {
    expect(ids(mergeWindow(windows, windowRow({ window_id: 3 })))).toEqual([0, 2, 3]);
    expect(ids(mergeWindow(windows, windowRow({ window_id: 1 })))).toEqual([0, 1, 2]);
    expect(ids(mergeWindow([], windowRow({ window_id: 5 })))).toEqual([5]);
  });

  test("a repeated window changes nothing", () => {
    expect(mergeWindow(windows, windowRow({ window_id: 2 }))).toBe(windows);
  });

  test("a window that was completed later replaces its part", () => {
    const completed = windowRow({ window_id: 2, created_at: "2026-02-01T00:00:00Z" });

    const merged = mergeWindow(windows, completed);

    expect(ids(merged)).toEqual([0, 2]);
    expect(merged[1]).toBe(completed);
  });
});

test("a followed replay takes its place once, newest first", () => {
  const list: ReplayList = {
    run_id: "run",
    index_path: "replay_index.json",
    count: 1,
    replays: [replayEntry({ replay_id: "replay-000004-a", window_id: 4 })],
  };
  const newer = replayEntry({ replay_id: "replay-000005-b", window_id: 5 });

  const merged = mergeReplay(mergeReplay(list, newer), newer);

  expect(merged.replays.map((replay) => replay.window_id)).toEqual([5, 4]);
  expect(merged.count).toBe(2);
});

describe("applyFollowed", () => {
  test("a window reaches every cache of that run that is filled, and no other", () => {
    const queries = new QueryClient();
    queries.setQueryData(keys.windows("a"), [windowRow({ window_id: 0 })]);
    queries.setQueryData(keys.newestWindows("a", 10), [windowRow({ window_id: 0 })]);
    queries.setQueryData(keys.windows("b"), []);

    const data = JSON.stringify(windowRow({ window_id: 1, run_id: "a" }));
    applyFollowed(queries, "a", { id: "1", name: "window", data });

    expect(ids(queries.getQueryData<WindowRow[]>(keys.windows("a")) ?? [])).toEqual([0, 1]);
    expect(ids(queries.getQueryData<WindowRow[]>(keys.newestWindows("a", 10)) ?? [])).toEqual([0, 1]);
    expect(queries.getQueryData(keys.windows("b"))).toEqual([]);
  });

  test("a status reaches the run's row in the list", () => {
    const queries = new QueryClient();
    const list: RunList = { runs: [runRow({ run_id: "a", status: "running" })], count: 1, total: 1 };
    queries.setQueryData(keys.runs(null, 500), list);
    const state = { run_id: "a", status: "completed", env_steps_total: 9, windows_emitted: 3, checkpoints_written: 1 };

    applyFollowed(queries, "a", { id: "1", name: "status", data: JSON.stringify(state) });

    expect(queries.getQueryData<RunList>(keys.runs(null, 500))?.runs[0]).toMatchObject({
      status: "completed",
      env_steps_total: 9,
    });
  });

  test("an event of another kind is passed over", () => {
    const queries = new QueryClient();
    queries.setQueryData(keys.windows("a"), []);

    applyFollowed(queries, "a", { id: "", name: "message", data: "hello" });

    expect(queries.getQueryData(keys.windows("a"))).toEqual([]);
  });
});
