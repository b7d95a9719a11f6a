import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveView } from "./LiveStore";
import { useRewind } from "./useRewind";

const at = (tick: number) => ({ tick }) as LiveView;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe("looking back at a live world", () => {
  const opened = () => {
    const hook = renderHook(({ view }) => useRewind(view), { initialProps: { view: at(0) } });
    for (let tick = 1; tick <= 5; tick += 1) {
      hook.rerender({ view: at(tick) });
    }
    return hook;
  };
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

  it("holds a moment until the past is played, at the pace that was chosen, up to the present", () => {
    const { result } = opened();
    act(() => result.current.lookAtTick(1));
    pass(5_000);
    expect(result.current.shown?.tick).toBe(1);

    act(() => result.current.play(1));
    pass(250);
    expect(result.current.shown?.tick).toBe(2);

    act(() => result.current.play(4));
    pass(63);
    expect(result.current.shown?.tick).toBe(3);
    pass(63);
    pass(63);
    expect(result.current.isLive).toBe(true);
    expect(result.current.shown?.tick).toBe(5);
  });

  it("comes back to the present at once", () => {
    const { result } = opened();
    act(() => result.current.lookAt(0));
    expect(result.current.isLive).toBe(false);
    act(() => result.current.goLive());
    expect(result.current.shown?.tick).toBe(5);
  });

  it.each(["by playing", "at once"])("forgets the pace when the present is reached %s", (way) => {
    const { result } = opened();
    act(() => result.current.lookAtTick(3));
    act(() => result.current.play(16));
    if (way === "at once") {
      act(() => result.current.goLive());
    } else {
      pass(16);
      pass(16);
    }
    expect(result.current.isLive).toBe(true);
    act(() => result.current.lookAtTick(1));
    pass(5_000);
    expect(result.current.shown?.tick).toBe(1);
    expect(result.current.pace).toBe(0);
  });
});
