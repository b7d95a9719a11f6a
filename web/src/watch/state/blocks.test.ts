import { describe, expect, it } from "vitest";
import { AHEAD_BLOCKS, BLOCK_FRAMES, evictions, MAX_BLOCKS, nextSpan, unreadSpan } from "./blocks";

const LONG = 50_000;
const nothing = () => false;

describe("what is loaded next", () => {
  it("starts at the frame on screen, wherever that is", () => {
    expect(nextSpan(0, LONG, nothing)).toEqual({ offset: 0, limit: (AHEAD_BLOCKS + 1) * BLOCK_FRAMES });
    expect(nextSpan(30_000, LONG, nothing)?.offset).toBe(29_952);
  });

  it("skips what is there and stops before what is there", () => {
    const isLoaded = (block: number) => block === 0 || block === 2;
    expect(nextSpan(10, LONG, isLoaded)).toEqual({ offset: 256, limit: 256 });
  });

  it("ends with the last, partial block", () => {
    expect(nextSpan(599, 600, (block) => block < 2)).toEqual({ offset: 512, limit: 88 });
  });

  it("leaves the rest of a long replay alone", () => {
    const isLoaded = (block: number) => block <= AHEAD_BLOCKS;
    expect(nextSpan(0, LONG, isLoaded)).toBeNull();
  });

  it("fills a short replay, also what lies before the screen", () => {
    const isLoaded = (block: number) => block >= 4;
    expect(nextSpan(1500, 2000, isLoaded)).toEqual({ offset: 0, limit: 1024 });
    expect(nextSpan(1500, 2000, () => true)).toBeNull();
  });

  it("takes a target behind the end as the end", () => {
    expect(nextSpan(9999, 300, (block) => block === 0)?.offset).toBe(256);
  });
});

it("reads for the memory what lies before the screen, a stretch at a time", () => {
  expect(unreadSpan(0, 30_000)).toEqual({ offset: 0, limit: (AHEAD_BLOCKS + 1) * BLOCK_FRAMES });
  expect(unreadSpan(29_900, 30_000)).toEqual({ offset: 29_900, limit: 101 });
  expect(unreadSpan(30_001, 30_000)).toBeNull();
  expect(unreadSpan(-1, 30_000)).toBeNull();
});

describe("what is forgotten", () => {
  const many = Array.from({ length: MAX_BLOCKS + 3 }, (_, index) => index);

  it("is farthest from the screen, first of all behind it", () => {
    expect(evictions(many, 20 * BLOCK_FRAMES, LONG)).toEqual([0, 1, 2]);
  });

  it("is nothing while there is room or the replay is short", () => {
    expect(evictions(many.slice(0, MAX_BLOCKS), 0, LONG)).toEqual([]);
    expect(evictions(many, 0, 5000)).toEqual([]);
  });
});
