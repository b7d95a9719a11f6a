import { expect, it } from "vitest";
import { replayEntry } from "../../shared/testing";
import { compareCandidates } from "./compareCandidates";

it("puts replays of the same seed first and leaves out the present one and other worlds", () => {
  const current = replayEntry({ replay_id: "a", seed: 7 });
  const replays = [
    replayEntry({ replay_id: "b", seed: 1 }),
    current,
    replayEntry({ replay_id: "c", seed: 7 }),
    replayEntry({ replay_id: "d", seed: 7, world: "townlet" }),
  ];
  const found = compareCandidates(replays, current);
  expect(found.map(({ replay, isSameSeed }) => [replay.replay_id, isSameSeed])).toEqual([
    ["c", true],
    ["b", false],
  ]);
});
