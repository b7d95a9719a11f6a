import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Frame } from "../../api/types";
import { Diary } from "../../renderers/diary";
import type { FrameSource } from "../transport/frames";
import { FrameStore } from "./FrameStore";

const FRAMES = 50_000;
const PORTION = 100;
const SHAPE = { ref: { run: "r", replay: "p" }, frames: FRAMES, ticks: FRAMES * 2, metricKeys: ["net_profit"] };

interface Asked {
  offset: number;
  signal: AbortSignal;
}

/** A replay made up on the spot, in portions of 100 frames; each waits for the gate. */
function source(asked: Asked[], gate: Promise<void>): FrameSource {
  return async function* frames(_ref, offset, limit, signal) {
    asked.push({ offset, signal });
    for (let start = offset; start < offset + limit; start += PORTION) {
      await gate;
      const count = Math.min(PORTION, offset + limit - start);
      yield Array.from({ length: count }, (_, place) => frame(start + place));
    }
  };
}

function frame(index: number): Frame {
  return {
    schema_version: 1,
    frame_index: index,
    t: 2 * (index + 1),
    dt: 2,
    action: 6,
    reward: 1,
    terminated: false,
    truncated: false,
    events: [],
    render_state: { headline: { net_profit: index } },
  };
}

describe("a long replay", () => {
  let asked: Asked[];
  let store: FrameStore;

  beforeEach(() => {
    asked = [];
    store = new FrameStore(SHAPE, source(asked, Promise.resolve()));
  });

  afterEach(() => store.close());

  it("is loaded where the screen is, not from its start", async () => {
    store.want(40_000);
    await vi.waitFor(() => expect(store.frame(40_000)?.frame_index).toBe(40_000));
    expect(asked[0]?.offset).toBe(39_936);
    expect(store.frame(0)).toBeUndefined();
  });

  it("tells of the frame on screen at once, without a timer", async () => {
    const timers = vi.spyOn(window, "setTimeout");
    const timersBefore = new Promise<number>((resolve) => {
      store.subscribe(() => resolve(timers.mock.calls.length));
    });
    store.want(0);
    expect(await timersBefore).toBe(0);
    expect(store.frame(0)).toBeDefined();
    timers.mockRestore();
  });

  it("is read ahead only when the frame on screen has been drawn", async () => {
    let tellDrawn: () => void = () => undefined;
    const drawn = new Promise<void>((resolve) => {
      tellDrawn = resolve;
    });
    const held = new FrameStore(SHAPE, source(asked, Promise.resolve()), undefined, drawn);
    held.want(0);
    await vi.waitFor(() => expect(held.frame(0)).toBeDefined());
    expect(held.frame(PORTION)).toBeUndefined();
    tellDrawn();
    await vi.waitFor(() => expect(held.frame(PORTION)).toBeDefined());
    held.close();
  });

  it("is held in memory only around the screen", async () => {
    for (let index = 0; index < FRAMES; index += 1000) {
      store.want(index);
      await vi.waitFor(() => expect(store.frame(index)).toBeDefined());
    }
    const held = Array.from({ length: FRAMES }, (_, index) => store.frame(index)).filter(
      (frame) => frame !== undefined,
    );
    expect(held.length).toBeLessThanOrEqual(24 * 256);
    expect(store.frame(49_000)).toBeDefined();
  });

  it("is remembered whole up to the screen, wherever one goes, without keeping its frames", async () => {
    const diary = new Diary(({ headline }) => headline.net_profit);
    diary.put(0, { schema_version: 1, headline: { net_profit: -1 }, time: 0, time_remaining: 0 });
    const read = new FrameStore(SHAPE, source(asked, Promise.resolve()), undefined, undefined, diary);

    read.want(9000);
    await vi.waitFor(() => expect(diary.upTo(9001).isWhole).toBe(true), { timeout: 5000 });

    expect(diary.upTo(9001).notes).toEqual(Array.from({ length: 9002 }, (_, moment) => moment - 1));
    expect(read.frame(9000)).toBeDefined();
    expect(read.frame(100)).toBeUndefined();
    read.close();
  });

  it("finds the frame of a tick anywhere", async () => {
    expect(await store.frameAtTick(66_667, new AbortController().signal)).toBe(33_333);
  });
});

it("cancels an old load when the screen moves away", async () => {
  const asked: Asked[] = [];
  const store = new FrameStore(SHAPE, source(asked, new Promise(() => undefined)));
  store.want(0);
  await vi.waitFor(() => expect(asked.length).toBe(1));
  store.want(30_000);
  await vi.waitFor(() => expect(asked.length).toBe(2));
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(asked[1]?.offset).toBe(29_952);
  store.close();
  expect(asked[1]?.signal.aborted).toBe(true);
});
