import { expect, test } from "vitest";
import { replayEntry, runRow } from "../../shared/testing";
import { newestReplayHref } from "./newestReplay";

test("the newest replay wins, wherever its run stands in the list", () => {
  const older = replayEntry({ replay_id: "replay-1", run_id: "a", created_at: "2026-01-01T00:00:00Z" });
  const newer = replayEntry({ replay_id: "replay-2", run_id: "b", created_at: "2026-01-02T00:00:00Z" });

  const href = newestReplayHref([
    runRow({ run_id: "c" }),
    runRow({ run_id: "a", latest_replay: older }),
    runRow({ run_id: "b", latest_replay: newer }),
  ]);

  expect(href).toBe("/watch/b/replay-2");
});

test("runs without replays have no address", () => {
  expect(newestReplayHref([runRow({ run_id: "a" })])).toBeNull();
});
