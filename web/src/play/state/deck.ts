import type { WorldDescriptor } from "../../api/types";
import { actionKey } from "../../renderers/decisions";
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
}

/** Arranges the actions of a world by the groups of its descriptor, families in rows. */
export function deckGroups(descriptor: WorldDescriptor, now: Now): DeckGroup[] {
  const hotkeys = new Map(descriptor.hotkeys.map((hotkey) => [hotkey.action, hotkey.key]));
  return descriptor.action_groups.map((group) => ({
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

function deckAction(action: number, key: string, now: Now, hotkeys: ReadonlyMap<number, string>): DeckAction {
  const isOpen = now.mask[action] === 1;
  const reason = isOpen ? "" : now.reasons?.[action] || "not possible now";
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
