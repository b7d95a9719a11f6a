import type { WorldDescriptor } from "../../api/types";
import type { ActionText } from "../../renderers/renderer";
import { humanize } from "../../renderers/ui/labels";

export interface DeckAction {
  action: number;
  label: string;
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
  textOf: (label: string) => ActionText | null;
}

/** Arranges the actions of a world by the groups of its descriptor, families in rows. */
export function deckGroups(descriptor: WorldDescriptor, now: Now): DeckGroup[] {
  const keys = new Map(descriptor.hotkeys.map((hotkey) => [hotkey.action, hotkey.key]));
  return descriptor.action_groups.map((group) => ({
    id: group.id,
    title: group.title,
    description: group.description,
    rows: rowsOf(group.actions.map((action) => deckAction(action, descriptor, now, keys.get(action) ?? null))),
  }));
}

function deckAction(action: number, descriptor: WorldDescriptor, now: Now, hotkey: string | null): DeckAction {
  const label = descriptor.action_labels[action] ?? `action ${action}`;
  const isOpen = now.mask[action] === 1;
  const reason = isOpen ? "" : now.reasons?.[action] || "not possible now";
  return { action, label, text: now.textOf(label) ?? { title: humanize(label), detail: "" }, isOpen, reason, hotkey };
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
  return rows;
}
