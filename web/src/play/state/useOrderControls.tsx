import { notifications } from "@mantine/notifications";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { SessionState, WorldDescriptor } from "../../api/types";
import { decisionOf, optionsOf } from "../../renderers/decisions";
import type { Pixels } from "../../renderers/renderer";
import { ClockButtons } from "../components/ClockButtons";
import type { Controls } from "./controls";
import { takesSpace } from "./hotkeys";
import { areSteps, giveOrder, noOrders, ordersAfter, possibleOrders } from "./orders";
import { isRealTime } from "./realTime";
import { useClock } from "./useClock";
import { useHeldOthers } from "./useHeldOthers";
import type { PlaySession } from "./usePlaySession";

interface Given {
  descriptor: WorldDescriptor;
  play: PlaySession;
  state: SessionState;
  /** Heads whose orders stay in force; all of them where the world does not say. */
  standing: readonly string[] | undefined;
  refuse: (action: number) => boolean;
}

/** Orders on every head, carried out together as time passes: by the clock, or step by step. */
export function useOrderControls(given: Given): Controls & { pixels: readonly Pixels[] } {
  const { descriptor, play, state, standing, refuse } = given;
  const heads = descriptor.action_heads;
  const [orders, setOrders] = useState(() => noOrders(heads));
  const [pixels, setPixels] = useState<readonly Pixels[]>([]);
  const { receive } = play;

  // Another episode begins without orders; after a step those that were carried out are forgotten.
  useEffect(() => {
    setOrders((given) =>
      state.steps === 0
        ? noOrders(heads)
        : ordersAfter(heads, standing ?? heads.map((head) => head.name), given, decisionOf(heads, state.action)),
    );
  }, [heads, standing, state]);

  const sent = useMemo(() => possibleOrders(heads, orders, state.action_mask), [heads, orders, state.action_mask]);
  const clock = useClock(isRealTime(descriptor) && !state.is_over ? state.session_id : null, sent, {
    onMoment: (moment) => {
      setPixels(moment.pixels);
      receive(moment.state);
    },
    onError: (detail) => notifications.show({ message: detail, color: "red" }),
  });
  useHeldOthers(play, state, clock);
  const { step } = play;
  const isStepByStep = !clock.isRunning && areSteps(heads, standing);
  const act = useCallback(
    (action: number) => {
      if (state.is_over || refuse(action)) {
        return;
      }
      if (isStepByStep) {
        step(action);
      } else {
        setOrders((given) => giveOrder(heads, given, action));
      }
    },
    [state.is_over, refuse, isStepByStep, step, heads],
  );
  const stepOnce = () => !state.is_over && !clock.isRunning && play.step(sent.length === 1 ? (sent[0] ?? 0) : sent);
  const clockKey = takesSpace(descriptor) ? "p" : "space";
  return {
    chosen: useMemo(() => new Set(optionsOf(heads, orders)), [heads, orders]),
    act,
    select: act,
    follow: (actions) => actions.forEach(act),
    isRunning: clock.isRunning,
    stop: clock.pause,
    pixels,
    buttons: (
      <ClockButtons
        canAct={!state.is_over}
        clock={isRealTime(descriptor) ? clock : null}
        clockKey={clockKey}
        onStep={stepOnce}
      />
    ),
    keys: [
      isRealTime(descriptor)
        ? { key: clockKey, does: "Let time pass, or stand still", run: clock.toggle }
        : { key: "space", does: "One step", run: stepOnce },
      { key: ".", does: "One step", run: stepOnce },
    ],
  };
}
