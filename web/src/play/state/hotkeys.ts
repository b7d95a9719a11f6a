import type { HotkeyItem } from "@mantine/hooks";
import type { WorldDescriptor } from "../../api/types";
import { capitalize } from "../../shared/capitalize";
import type { ShortcutSection } from "../../shared/shortcuts/registry";

const KEY_NAMES: Readonly<Record<string, string>> = {
  " ": "Space",
  arrowup: "↑",
  arrowright: "→",
  arrowdown: "↓",
  arrowleft: "←",
};

/** What is written on a key. */
export function keyLabel(key: string): string {
  return KEY_NAMES[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : capitalize(key));
}

/** Whether a world wants the space bar for itself. */
export function takesSpace({ hotkeys }: WorldDescriptor): boolean {
  return hotkeys.some(({ key }) => bound(key) === "space");
}

/** A key as hotkeys are bound: the space bar by its name. */
function bound(key: string): string {
  return key === " " ? "space" : key.toLowerCase();
}

/** A label in camel case as words: MoveNorth is move north. */
function spelled(hint: string): string {
  return /^[A-Za-z]+\d*$/.test(hint)
    ? hint.replaceAll(/(?<=[a-z])[A-Z0-9]/g, (next) => ` ${next}`).toLowerCase()
    : hint;
}

export interface PageKey {
  key: string;
  does: string;
  run: () => void;
}

/** Binds the world's own keys to its actions and the page's keys to what the world left free. */
export function hotkeyItems(
  descriptor: WorldDescriptor,
  pageKeys: readonly PageKey[],
  onAction: (action: number) => void,
): HotkeyItem[] {
  const taken = new Set(descriptor.hotkeys.map((hotkey) => bound(hotkey.key)));
  return [
    ...descriptor.hotkeys.map((hotkey): HotkeyItem => [bound(hotkey.key), () => onAction(hotkey.action)]),
    ...pageKeys.filter(({ key }) => !taken.has(bound(key))).map(({ key, run }): HotkeyItem => [key, run]),
  ];
}

export function shortcutSection(
  descriptor: WorldDescriptor,
  pageKeys: readonly Omit<PageKey, "run">[],
): ShortcutSection {
  const taken = new Set(descriptor.hotkeys.map((hotkey) => bound(hotkey.key)));
  return {
    title: "Play",
    shortcuts: [
      ...pageKeys.filter(({ key }) => !taken.has(bound(key))).map(({ key, does }) => ({ keys: [keyLabel(key)], does })),
      ...descriptor.hotkeys.map((hotkey) => ({ keys: [keyLabel(hotkey.key)], does: capitalize(spelled(hotkey.hint)) })),
    ],
  };
}
