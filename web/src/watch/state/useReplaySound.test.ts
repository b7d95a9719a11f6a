import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Frame } from "../../api/types";
import { NO_MANIFESTS } from "../../renderers/manifests";
import type { Head, WorldModule } from "../../renderers/renderer";
import { SoundBoard } from "../../renderers/sound/SoundBoard";
import { useReplaySound } from "./useReplaySound";

const SCENE = { module: {} as WorldModule, manifests: NO_MANIFESTS };
const HEADS = [{ name: "action", options: ["wait", "mine", "sell"], noop: 0 }] as unknown as readonly Head[];

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function frameAt(index: number): Frame {
  return { frame_index: index, action: index % 3, events: [`event-${index}`] } as unknown as Frame;
}

/** Shows frames one after the other; returns what was played. */
function heard(...frames: (Frame | undefined)[]) {
  const played = vi.spyOn(SoundBoard.prototype, "playStep");
  const [first, ...rest] = frames;
  const { rerender } = renderHook(({ frame }) => useReplaySound(SCENE, HEADS, frame), {
    initialProps: { frame: first },
  });
  for (const frame of rest) {
    rerender({ frame });
  }
  return played.mock.calls;
}

it("is silent on opening, and while the replay stands still or goes back", () => {
  const frame = frameAt(4);
  expect(heard(frame, frame, frameAt(2))).toEqual([]);
  expect(heard(undefined, frameAt(4))).toEqual([]);
});

it("plays every step the replay moves on to, once", () => {
  const [one, two] = [frameAt(1), frameAt(2)];
  expect(heard(frameAt(0), one, one, two)).toEqual([
    [[1], ["event-1"]],
    [[2], ["event-2"]],
  ]);
});

it("goes on where a frame has to be waited for", () => {
  expect(heard(frameAt(4), undefined, frameAt(5))).toEqual([[[2], ["event-5"]]]);
});
