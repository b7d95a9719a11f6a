import { useCallback, useEffect, useMemo, useState } from "react";
import type { SessionState, WorldDescriptor } from "../../api/types";
import { actionKey, headsThatMatter, optionsOf, tellingOptions } from "../../renderers/decisions";
import { DecideButton } from "../components/DecideButton";
import type { Controls } from "./controls";
import { giveOrder, noOrders, type Orders, settledOrders } from "./orders";
import type { PlaySession } from "./usePlaySession";

interface Given {
  descriptor: WorldDescriptor;
  play: PlaySession;
  state: SessionState;
  isBusy: boolean;
  refuse: (action: number, beside?: string) => boolean;
  /** Why an option cannot go with what is chosen on other heads, by their keys. */
  refusal: ((key: string, chosen: ReadonlySet<string>) => string) | undefined;
  titleOf: (action: number) => string;
}

/** Decisions of several parts: what is chosen on one head says which others are asked for; then all is done at once. */
export function useFactoredControls(given: Given): Controls {
  const { descriptor, play, state, isBusy, refuse, refusal, titleOf } = given;
  const { action_heads: heads, action_relevance: relevance } = descriptor;
  const [orders, setOrders] = useState<Orders>(() => noOrders(heads));

  // Every decision is composed from the start, also after one is taken back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment is what changes
  useEffect(() => setOrders(noOrders(heads)), [heads, state]);

  const reading = useCallback(
    (wanted: Orders) => {
      const matters = headsThatMatter(heads, relevance, wanted);
      const [deciding = 0] = tellingOptions(heads, wanted, relevance);
      const chosen = new Set([actionKey(heads, deciding)]);
      const refusalOf = (action: number) => refusal?.(actionKey(heads, action), chosen) ?? "";
      const isOpen = (action: number) => state.action_mask[action] === 1 && refusalOf(action) === "";
      return { matters, refusalOf, settled: settledOrders(heads, wanted, matters, isOpen) };
    },
    [heads, relevance, refusal, state.action_mask],
  );
  const { matters, refusalOf, settled } = useMemo(() => reading(orders), [reading, orders]);
  const decide = (decision: Orders) => !state.is_over && !isBusy && play.step(decision);
  const choose = useCallback(
    (action: number) => {
      if (!state.is_over && !refuse(action, refusalOf(action))) {
        setOrders((before) => giveOrder(heads, before, action));
      }
    },
    [state.is_over, refuse, refusalOf, heads],
  );
  const [deciding = 0] = tellingOptions(heads, settled, relevance);
  return {
    chosen: useMemo(() => new Set(optionsOf(heads, settled)), [heads, settled]),
    act: choose,
    select: choose,
    follow: (actions) =>
      decide(reading(actions.reduce((wanted, action) => giveOrder(heads, wanted, action), noOrders(heads))).settled),
    asked: matters,
    refusalOf,
    isRunning: false,
    stop: () => undefined,
    buttons: (
      <DecideButton
        title={titleOf(deciding)}
        canAct={!state.is_over}
        isBusy={isBusy}
        onDecide={() => decide(settled)}
      />
    ),
    keys: [
      { key: "space", does: "Decide as chosen", run: () => decide(settled) },
      { key: "u", does: "Take back the last decision", run: () => play.undo(1) },
    ],
  };
}
