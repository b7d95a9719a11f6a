import { expect, test } from "vitest";
import type { Metric } from "../../api/types";
import { replayEntry } from "../testing";
import { bestReplay } from "./bestReplay";

const METRIC: Metric = { key: "profit", label: "Profit", unit: "", better: "higher", aggregate: "episode_final_mean" };
const WORLD = { headline: ["profit"], metrics: [METRIC] };

function replay(id: string, profit: number, created_at = "2026-01-01T00:00:00Z") {
  return replayEntry({ replay_id: id, metrics: { profit }, created_at });
}

test("the best by the headline metric wins, not the newest", () => {
  const replays = [replay("newest", 1, "2026-01-03T00:00:00Z"), replay("best", 5), replay("worst", -1)];

  expect(bestReplay(replays, WORLD)?.replay_id).toBe("best");
});

test("of equals the newest wins", () => {
  const replays = [replay("older", 5), replay("newer", 5, "2026-01-02T00:00:00Z")];

  expect(bestReplay(replays, WORLD)?.replay_id).toBe("newer");
});

test("the lowest wins where lower is better", () => {
  const lower = { ...WORLD, metrics: [{ ...METRIC, better: "lower" as const }] };

  expect(bestReplay([replay("high", 5), replay("low", 1)], lower)?.replay_id).toBe("low");
});

test("a replay without the metric comes last, and an empty list has no best", () => {
  const bare = replayEntry({ replay_id: "bare", metrics: {} });

  expect(bestReplay([bare, replay("bad", -100)], WORLD)?.replay_id).toBe("bad");
  expect(bestReplay([], WORLD)).toBeNull();
});
