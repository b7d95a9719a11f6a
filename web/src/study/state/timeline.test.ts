import { expect, test } from "vitest";
import { replayEntry } from "../../shared/testing";
import { buildTimeline } from "./timeline";

const REPLAYS = [
  replayEntry({ replay_id: "r3", window_id: 3, return_total: -1, checkpoint_path: "checkpoints/ckpt_000003" }),
  replayEntry({ replay_id: "r1", window_id: 1, return_total: 4, checkpoint_path: "checkpoints/ckpt_000001" }),
];

test("replays run oldest first and bring their checkpoints", () => {
  const latest = { window_id: 5, env_steps_total: 0, path: "checkpoints/ckpt_000005", sha256: "", created_at: "" };

  const timeline = buildTimeline(REPLAYS, latest);

  expect(timeline?.replays.map((replay) => replay.replay_id)).toEqual(["r1", "r3"]);
  expect(timeline?.checkpoints.map((mark) => mark.window)).toEqual([1, 3, 5]);
  expect(timeline).toMatchObject({ firstWindow: 1, lastWindow: 5, lowestReturn: -1, highestReturn: 4 });
});

test("a run without either has no timeline", () => {
  expect(buildTimeline([], null)).toBeNull();
});
