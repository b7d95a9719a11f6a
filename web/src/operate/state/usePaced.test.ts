import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { usePaced } from "./usePaced";

describe("what a picture is drawn from", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is passed on, and while drawing takes long the newest of it", () => {
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
    const { result, rerender } = renderHook(({ value }) => usePaced(value), { initialProps: { value: 1 } });
    rerender({ value: 2 });
    rerender({ value: 3 });
    expect(result.current).toBe(1);

    vi.advanceTimersByTime(50);
    frames.shift()?.(50);
    frames.shift()?.(50);
    act(() => void vi.advanceTimersByTime(100));

    expect(result.current).toBe(3);
    vi.unstubAllGlobals();
  });
});
