import type { HotkeyItem } from "@mantine/hooks";
import type { WorldDescriptor } from "../../api/types";
import type { ShortcutSection } from "../../shared/shortcuts/registry";

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
  const taken = new Set(descriptor.hotkeys.map((hotkey) => hotkey.key.toLowerCase()));
  return [
    ...descriptor.hotkeys.map((hotkey): HotkeyItem => [hotkey.key, () => onAction(hotkey.action)]),
    ...pageKeys.filter(({ key }) => !taken.has(key.toLowerCase())).map(({ key, run }): HotkeyItem => [key, run]),
  ];
}

export function shortcutSection(
  descriptor: WorldDescriptor,
  pageKeys: readonly Omit<PageKey, "run">[],
): ShortcutSection {
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  return {
    title: "Play",
    shortcuts: [
      ...pageKeys.map(({ key, does }) => ({ keys: [capital(key)], does })),
      ...descriptor.hotkeys.map((hotkey) => ({ keys: [hotkey.key.toUpperCase()], does: capital(hotkey.hint) })),
    ],
  };
}
