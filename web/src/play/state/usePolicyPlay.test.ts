import { act, cleanup, renderHook } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionState } from "../../api/types";
import type { Head } from "../../renderers/renderer";
import { reduceSession, type Session, type SessionAction } from "./sessionReducer";
import { usePolicyPlay } from "./usePolicyPlay";
import { useStopOnRefusal } from "./useStopOnRefusal";

const advice = { decision: [1], probabilities: [0.1, 0.9], value: 0, isOfNow: true, error: null };
const heads = [{ name: "action", options: ["wait", "go"], noop: 0 }] as unknown as Head[];
const state = { session_id: "one", steps: 3, is_over: false } as SessionState;
const OPEN: Session = { status: "open", state, previous: null, log: [], isBusy: false, rewrites: 0, refusal: null };
const NO_STEP = "the seat waits for somebody else";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** A policy at a desk with a clock, in a session that refuses every step. */
function desk() {
  const steps = vi.fn();
  const hook = renderHook(() => {
    const [session, setSession] = useState(OPEN as Extract<Session, { status: "open" }>);
    const [isClockRunning, setClock] = useState(false);
    const tell = (action: SessionAction) => setSession((before) => reduceSession(before, action) as typeof before);
    const player = usePolicyPlay({
      advice,
      heads,
      isDrawing: false,
      state: session.state,
      isBusy: session.isBusy,
      step: (action) => {
        steps(action);
        tell({ type: "busy" });
        tell({ type: "refused", message: NO_STEP });
      },
      areOthersRunning: isClockRunning,
      stopOthers: () => setClock(false),
    });
    useStopOnRefusal(session, player.stop);
    return { player, isClockRunning, startClock: () => setClock(true), tell };
  });
  return { result: hook.result, steps };
}

describe("a policy that plays by itself", () => {
  it("stops when the clock is started, and stops the clock when it is started", () => {
    const { result, steps } = desk();
    act(() => result.current.player.toggle());
    act(() => result.current.startClock());
    expect(result.current.player.isRunning).toBe(false);
    act(() => vi.advanceTimersByTime(5_000));
    expect(steps).not.toHaveBeenCalled();

    act(() => result.current.player.toggle());
    expect(result.current.player.isRunning).toBe(true);
    expect(result.current.isClockRunning).toBe(false);
  });

  it("tries what is refused once each time it is started", () => {
    const { result, steps } = desk();
    for (const tries of [1, 2]) {
      act(() => result.current.player.toggle());
      // A state that is told once more is no refusal.
      act(() => result.current.tell({ type: "stepped", state }));
      expect(result.current.player.isRunning).toBe(true);
      act(() => vi.advanceTimersByTime(5_000));
      act(() => vi.advanceTimersByTime(5_000));
      expect(steps).toHaveBeenCalledTimes(tries);
      expect(result.current.player.isRunning).toBe(false);
    }
  });
});
