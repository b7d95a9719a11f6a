import { describe, expect, it } from "vitest";
import { type Playback, reducePlayback } from "./usePlayback";

const START: Playback = { index: 0, isPlaying: false, fps: 8, stride: 1 };

describe("playback", () => {
  it("stays inside the replay", () => {
    expect(reducePlayback(START, { type: "move", by: -5 }, 100).index).toBe(0);
    expect(reducePlayback(START, { type: "seek", index: 1e9 }, 100).index).toBe(99);
    expect(reducePlayback(START, { type: "seek", index: 5 }, 0).index).toBe(0);
  });

  it("stops at the end and starts over from there", () => {
    const end = reducePlayback({ ...START, index: 98, isPlaying: true }, { type: "advance" }, 100);
    expect(end).toMatchObject({ index: 99, isPlaying: false });
    expect(reducePlayback(end, { type: "toggle" }, 100)).toMatchObject({ index: 0, isPlaying: true });
  });

  it("advances by the stride", () => {
    const state = { ...START, isPlaying: true, stride: 15 };
    expect(reducePlayback(state, { type: "advance" }, 100)).toMatchObject({ index: 15, isPlaying: true });
  });

  it("keeps speed and stride within their bounds", () => {
    expect(reducePlayback(START, { type: "set", fps: 99, stride: 0 }, 10)).toMatchObject({ fps: 20, stride: 1 });
  });

  it("pauses when stepping by hand but goes on when scrubbing", () => {
    const playing = { ...START, isPlaying: true };
    expect(reducePlayback(playing, { type: "move", by: 1 }, 10).isPlaying).toBe(false);
    expect(reducePlayback(playing, { type: "seek", index: 4 }, 10).isPlaying).toBe(true);
  });
});
