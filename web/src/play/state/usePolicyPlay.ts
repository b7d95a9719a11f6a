import { useEffect, useState } from "react";
import type { SessionState } from "../../api/types";
import { chosenDecision } from "../../policy/choosing";
import type { Head } from "../../renderers/renderer";
import type { Advice } from "./advice";

export interface PolicyPlay {
  /** Whether it knows what to do now. */
  canAct: boolean;
  isRunning: boolean;
  stepsPerSecond: number;
  /** Decides once as the policy would. */
  once: () => void;
  toggle: () => void;
  stop: () => void;
  setSpeed: (stepsPerSecond: number) => void;
}

interface Given {
  advice: Advice;
  heads: readonly Head[];
  /** Whether options are drawn by their odds. */
  isDrawing: boolean;
  state: SessionState;
  isBusy: boolean;
  step: (action: number | readonly number[]) => void;
  /** Whether something else goes on by itself: what is started last has the seat. */
  areOthersRunning: boolean;
  /** Ends whatever else goes on by itself. */
  stopOthers: () => void;
}

/** Lets a policy play the own seat, decision by decision or continuously until the episode ends. */
export function usePolicyPlay(given: Given): PolicyPlay {
  const { advice, heads, isDrawing, state, isBusy, step, areOthersRunning, stopOthers } = given;
  const [isRunning, setRunning] = useState(false);
  const [stepsPerSecond, setSpeed] = useState(4);
  const { decision, probabilities, isOfNow } = advice;
  const canAct = decision !== null && probabilities !== null && isOfNow && !isBusy && !state.is_over;

  const act = () => {
    if (canAct) {
      const sizes = heads.map((head) => ({ options: head.options.length }));
      const chosen = chosenDecision({ actions: decision, probabilities }, sizes, isDrawing ? Math.random : null);
      step(chosen.length === 1 ? (chosen[0] ?? 0) : chosen);
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is decided belongs to the moment
  useEffect(() => {
    if (!isRunning) {
      return;
    }
    if (state.is_over || advice.error !== null || areOthersRunning) {
      setRunning(false);
      return;
    }
    if (canAct) {
      const timer = window.setTimeout(act, 1000 / stepsPerSecond);
      return () => window.clearTimeout(timer);
    }
  }, [isRunning, canAct, decision, state, stepsPerSecond, isDrawing, advice.error, areOthersRunning]);

  return {
    canAct,
    isRunning,
    stepsPerSecond,
    once: () => {
      stopOthers();
      act();
    },
    toggle: () => {
      stopOthers();
      setRunning((was) => !was);
    },
    stop: () => setRunning(false),
    setSpeed,
  };
}
