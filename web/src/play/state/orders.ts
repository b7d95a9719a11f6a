import { headOf, headOffsets } from "../../renderers/decisions";
import type { Head } from "../../renderers/renderer";

/** One option per head, as it was ordered. */
export type Orders = readonly number[];

export function noOrders(heads: readonly Head[]): Orders {
  return heads.map((head) => head.noop);
}

/**
 * Whether a decision is one small step, such as a move: there is one head, and what is ordered is done once. While time
 * stands still such a step is taken as soon as it is chosen.
 */
export function areSteps(heads: readonly Head[], standing: readonly string[] | undefined): boolean {
  const [only, ...others] = heads;
  return only !== undefined && others.length === 0 && standing?.includes(only.name) === false;
}

/** Gives an order by its index over all heads; the others stay. */
export function giveOrder(heads: readonly Head[], orders: Orders, index: number): Orders {
  const { head, option } = headOf(heads, index);
  return orders.with(head, option);
}

/** Returns what is still ordered after a step: standing orders, and those that were not yet sent. */
export function ordersAfter(
  heads: readonly Head[],
  standing: readonly string[],
  orders: Orders,
  done: readonly number[] | null,
): Orders {
  const next = orders.map((option, place) => {
    const head = heads[place];
    const isCarriedOut = head !== undefined && !standing.includes(head.name) && done?.[place] === option;
    return isCarriedOut ? head.noop : option;
  });
  return next.every((option, place) => option === orders[place]) ? orders : next;
}

/**
 * Returns what can be sent now: an order that is not possible yet waits behind the no-op of its head, or behind what is
 * the only thing possible.
 */
export function possibleOrders(heads: readonly Head[], orders: Orders, mask: readonly number[]): Orders {
  let first = 0;
  return heads.map((head, place) => {
    const option = orders[place] ?? head.noop;
    const open = mask.slice(first, first + head.options.length);
    first += head.options.length;
    const waiting = open[head.noop] === 1 || !open.includes(1) ? head.noop : open.indexOf(1);
    return open[option] === 1 ? option : waiting;
  });
}

/**
 * Returns the decision that orders stand for: heads that do not matter carry their no-op, and an order that cannot be
 * carried out gives way to the no-op of its head, or to the first option that can.
 */
export function settledOrders(
  heads: readonly Head[],
  orders: Orders,
  matters: readonly string[],
  isOpen: (index: number) => boolean,
): Orders {
  const offsets = headOffsets(heads);
  return heads.map((head, place) => {
    const open = head.options.map((_, option) => isOpen((offsets[place] ?? 0) + option));
    const option = orders[place] ?? head.noop;
    if (!matters.includes(head.name)) {
      return head.noop;
    }
    return open[option] ? option : open[head.noop] || !open.includes(true) ? head.noop : open.indexOf(true);
  });
}
