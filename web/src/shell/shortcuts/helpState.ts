import { useSyncExternalStore } from "react";

type Listener = () => void;

const listeners = new Set<Listener>();
let isOpen = false;

function setOpen(value: boolean): void {
  isOpen = value;
  for (const listener of listeners) {
    listener();
  }
}

export function openShortcutHelp(): void {
  setOpen(true);
}

export function closeShortcutHelp(): void {
  setOpen(false);
}

export function useShortcutHelpOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
