import type { WorldDescriptor } from "../../api/types";
import { actionKey, headOf } from "../../renderers/decisions";
import type { ActionText } from "../../renderers/renderer";

export interface DeckAction {
  /** Index over the options of all heads. */
  action: number;
  key: string;
  text: ActionText;
  isOpen: boolean;
  /** Why it cannot be done now; empty where it can. */
  reason: string;
  hotkey: string | null;
}

export interface DeckRow {
  /** Name of the family, or null for actions that stand alone. */
  family: string | null;
  actions: DeckAction[];
}

export interface DeckGroup {
  id: string;
  title: string;
  description: string;
  rows: DeckRow[];
}

interface Now {
  mask: readonly number[];
  reasons: readonly string[] | null;
  textOf: (key: string) => ActionText;
  /** The heads that are asked for, in their order; all of them where absent. */
  asked?: readonly string[];
  /** Why an action cannot go with what is chosen; empty where it can. */
  refusalOf?: (action: number) => string;
}

/** Arranges the actions of a world by the groups of its descriptor, families in rows. */
export function deckGroups(descriptor: WorldDescriptor, now: Now): DeckGroup[] {
  const hotkeys = new Map(descriptor.hotkeys.map((hotkey) => [hotkey.action, hotkey.key]));
  return askedGroups(descriptor, now.asked).map((group) => ({
    id: group.id,
    title: group.title,
    description: group.description,
    rows: rowsOf(
      group.actions
        .map((action) => deckAction(action, actionKey(descriptor.action_heads, action), now, hotkeys))
        .filter(({ isOpen, text }) => isOpen || text.isHiddenWhenClosed !== true),
    ),
  }));
}

function askedGroups({ action_groups, action_heads }: WorldDescriptor, asked: readonly string[] | undefined) {
  if (asked === undefined) {
    return action_groups;
  }
  const placeOf = ({ actions }: (typeof action_groups)[number]) =>
    asked.indexOf(action_heads[headOf(action_heads, actions[0] ?? 0).head]?.name ?? "");
  return action_groups.filter((group) => placeOf(group) >= 0).toSorted((one, other) => placeOf(one) - placeOf(other));
}

function deckAction(action: number, key: string, now: Now, hotkeys: ReadonlyMap<number, string>): DeckAction {
  const refused = now.refusalOf?.(action) ?? "";
  const isOpen = now.mask[action] === 1 && refused === "";
  const reason = isOpen ? "" : refused || now.reasons?.[action] || "not possible now";
  return { action, key, text: now.textOf(key), isOpen, reason, hotkey: hotkeys.get(action) ?? null };
}

function rowsOf(actions: readonly DeckAction[]): DeckRow[] {
  const rows: DeckRow[] = [];
  for (const action of actions) {
    const family = action.text.family ?? null;
    const last = rows.at(-1);
    if (last !== undefined && last.family === family) {
      last.actions.push(action);
    } else {
      rows.push({ family, actions: [action] });
    }
  }
  return rows.map(({ family, actions }) => ({ family, actions: actions.toSorted(byPlace) }));
}

function byPlace(one: DeckAction, other: DeckAction): number {
  return (one.text.place ?? one.action) - (other.text.place ?? other.action);
}
