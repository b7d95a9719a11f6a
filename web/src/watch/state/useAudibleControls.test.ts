import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import type { SoundBoard } from "../../renderers/sound/SoundBoard";
import { useAudibleControls } from "./useAudibleControls";
import { type PlaybackAction, usePlayback } from "./usePlayback";

it("lets people hear what they do to a replay, and not how it goes on by itself", () => {
  const heard: string[] = [];
  const board = { play: (key: string) => void heard.push(key) } as unknown as SoundBoard;
  const hook = renderHook(() =>
    useAudibleControls(
      usePlayback(100, () => false),
      board,
    ),
  );
  const steer = (action: PlaybackAction) => act(() => hook.result.current.dispatch(action));

  steer({ type: "toggle" });
  steer({ type: "toggle" });
  steer({ type: "move", by: 1 });
  steer({ type: "seek", index: 50 });
  steer({ type: "restart" });

  expect(heard).toEqual(["ui.play", "ui.pause", "ui.step", "ui.click"]);
  expect(hook.result.current.index).toBe(0);
});
