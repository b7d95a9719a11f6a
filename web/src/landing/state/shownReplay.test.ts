import { expect, test } from "vitest";
import { replayEntry } from "../../shared/testing";
import { shownReplay } from "./shownReplay";

const CHAMPION = { run_id: "champion:prospector", replay_id: "replay-1" };
const BEST = { run_id: "mine", replay: replayEntry({ replay_id: "replay-2" }) };

test("a world is shown by its champion", () => {
  expect(shownReplay(CHAMPION, BEST)).toEqual({
    href: "/watch/champion:prospector/replay-1",
    label: "Watch champion",
  });
});

test("a world without a champion is shown by its best replay", () => {
  expect(shownReplay(undefined, BEST)).toEqual({ href: "/watch/mine/replay-2", label: "Watch best replay" });
});

test("a world without replays is not shown", () => {
  expect(shownReplay(undefined, undefined)).toBeNull();
});
