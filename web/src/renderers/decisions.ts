import type { Head } from "./renderer";

/** A decision as it is recorded: one seat with one head, one option per head, or one of these for every seat. */
export type RecordedAction = number | readonly (number | readonly number[] | null)[] | null;

/** Returns the index of the first option of every head, over the options of all heads. */
export function headOffsets(heads: readonly Head[]): number[] {
  let next = 0;
  return heads.map((head) => {
    const first = next;
    next += head.options.length;
    return first;
  });
}

/** Returns the place of the head an option belongs to, and of the option in it. */
export function headOf(heads: readonly Head[], index: number): { head: number; option: number } {
  const offsets = headOffsets(heads);
  const head = offsets.findLastIndex((offset) => offset <= index);
  return { head, option: index - (offsets[head] ?? 0) };
}

/** Names an action: by its label in a world with one head, by head and label where several may share a label. */
export function actionKey(heads: readonly Head[], index: number): string {
  const { head, option } = headOf(heads, index);
  const label = heads[head]?.options[option] ?? `action ${index}`;
  return heads.length > 1 ? `${heads[head]?.name}.${label}` : label;
}

/** Returns the index of an action by its name, -1 if there is none. */
export function indexOfKey(heads: readonly Head[], key: string): number {
  const count = heads.reduce((sum, head) => sum + head.options.length, 0);
  return Array.from({ length: count }, (_, index) => actionKey(heads, index)).indexOf(key);
}

/** Returns what one seat decided, one option per head; null where it took no decision. */
export function decisionOf(heads: readonly Head[], action: RecordedAction, seat = 0): readonly number[] | null {
  if (action === null || typeof action === "number") {
    return action === null ? null : [action];
  }
  if (heads.length > 1 && action.every((part) => typeof part === "number")) {
    return action;
  }
  return decisionOf(heads, action[seat] ?? null);
}

/** Returns the options of a decision by their indices over all heads. */
export function optionsOf(heads: readonly Head[], decision: readonly number[] | null): number[] {
  const offsets = headOffsets(heads);
  return (decision ?? []).map((option, head) => (offsets[head] ?? 0) + option);
}

/**
 * Returns what was chosen anew: the whole decision in a world with one head, where every step is a choice; elsewhere
 * what differs from the step before, since orders stand until they are changed.
 */
export function newOptions(
  heads: readonly Head[],
  decision: readonly number[] | null,
  before: readonly number[] | null,
): number[] {
  const options = optionsOf(heads, decision);
  return heads.length === 1 ? options : options.filter((_, head) => decision?.[head] !== before?.[head]);
}

/** Which further heads matter to a decision, by the option chosen on one of them. */
export interface Relevance {
  head: string;
  heads: Readonly<Record<string, readonly string[]>>;
}

/** Returns the heads that matter to a decision, the deciding one first; all where the world does not tell them apart. */
export function headsThatMatter(
  heads: readonly Head[],
  relevance: Relevance | null,
  decision: readonly number[],
): readonly string[] {
  if (relevance === null) {
    return heads.map(({ name }) => name);
  }
  const place = heads.findIndex(({ name }) => name === relevance.head);
  const chosen = heads[place]?.options[decision[place] ?? -1] ?? "";
  return [relevance.head, ...(relevance.heads[chosen] ?? [])];
}

/**
 * Returns what a decision tells: the options of the heads that matter, where the world tells them apart; elsewhere what
 * it does beyond the no-op of every head, and the no-op itself where it does nothing more.
 */
export function tellingOptions(
  heads: readonly Head[],
  decision: readonly number[] | null,
  relevance: Relevance | null = null,
): number[] {
  const options = optionsOf(heads, decision);
  if (relevance !== null && decision !== null) {
    return headsThatMatter(heads, relevance, decision).map(
      (name) => options[heads.findIndex((head) => head.name === name)] ?? 0,
    );
  }
  const telling = options.filter((_, head) => decision?.[head] !== heads[head]?.noop);
  return telling.length > 0 ? telling : options.slice(0, 1);
}
