import { expect, test } from "vitest";
import { replayEntry, runRow } from "../../shared/testing";
import { firstShown } from "./firstShown";

const best = (world: string) => ({
  world,
  run_id: `champion:${world}`,
  metric: "score",
  value: 1,
  replay: replayEntry({ replay_id: `replay-${world}` }),
});

test("the best replay of the world that was trained last opens", () => {
  const runs = [
    runRow({ run_id: "empty", world: "gameboy" }),
    runRow({ run_id: "a", world: "townlet", replay_count: 2 }),
  ];

  expect(firstShown([best("prospector"), best("townlet")], runs)).toEqual({
    run: "champion:townlet",
    replay: "replay-townlet",
  });
});

test("without runs the first world opens, and without replays nothing", () => {
  expect(firstShown([best("prospector"), best("townlet")], [])?.run).toBe("champion:prospector");
  expect(firstShown([], [])).toBeNull();
});
