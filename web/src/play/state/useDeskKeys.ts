import { useHotkeys } from "@mantine/hooks";
import { useMemo } from "react";
import type { WorldDescriptor } from "../../api/types";
import { useShortcutSection } from "../../shared/shortcuts/registry";
import { hotkeyItems, type PageKey, shortcutSection } from "./hotkeys";

/** Binds the keys of the world and of the page, and lists them under the shortcuts. */
export function useDeskKeys(
  descriptor: WorldDescriptor,
  keys: readonly PageKey[],
  onAction: (action: number) => void,
): void {
  useHotkeys(hotkeyItems(descriptor, keys, onAction));
  const listed = JSON.stringify(keys.map(({ key, does }) => ({ key, does })));
  useShortcutSection(useMemo(() => shortcutSection(descriptor, JSON.parse(listed)), [descriptor, listed]));
}
