import { useEffect, useSyncExternalStore } from "react";

export interface Shortcut {
  keys: string[];
  does: string;
}

export interface ShortcutSection {
  title: string;
  shortcuts: readonly Shortcut[];
}

type Listener = () => void;

const listeners = new Set<Listener>();
let sections: readonly ShortcutSection[] = [];

function replaceSections(next: readonly ShortcutSection[]): void {
  sections = next;
  for (const listener of listeners) {
    listener();
  }
}

/** Lists a page's shortcuts in the help for as long as the page is open; pass a constant or a memoized section. */
export function useShortcutSection(section: ShortcutSection): void {
  useEffect(() => {
    replaceSections([...sections, section]);
    return () => replaceSections(sections.filter((other) => other !== section));
  }, [section]);
}

export function useShortcutSections(): readonly ShortcutSection[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sections,
  );
}
