import { useEffect, useRef } from "react";
import { giveUpFocus, isForThePage, KEYBOARD } from "./keys";
import type { RunningConsole } from "./useConsoleLink";

const SOURCE = "keyboard:";

/** Lets the keyboard play while the page is open: arrows, Z, X, Enter and Shift; Space pauses, a dot runs one frame. */
export function useConsoleKeys(running: RunningConsole): void {
  const latest = useRef(running);
  latest.current = running;

  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (event.ctrlKey || event.metaKey || event.altKey || isForThePage(key === " " ? "enter" : key, event.target)) {
        return;
      }
      const name = KEYBOARD[key];
      if (name !== undefined) {
        event.preventDefault();
        if (!event.repeat) {
          latest.current.press(name, SOURCE + key);
        }
      } else if (key === " " && !event.repeat) {
        event.preventDefault();
        latest.current.toggle();
      } else if (key === ".") {
        latest.current.step();
      }
    };
    const up = (event: KeyboardEvent) => latest.current.release(SOURCE + event.key.toLowerCase());
    const away = () => latest.current.releaseAll();
    window.addEventListener("keydown", down);
    window.addEventListener("keyup", up);
    window.addEventListener("blur", away);
    return () => {
      window.removeEventListener("keydown", down);
      window.removeEventListener("keyup", up);
      window.removeEventListener("blur", away);
    };
  }, []);
}

/** Gives the keys back after a click: who clicks a button wants to play on, who walks to it by keyboard to stay there. */
export function useKeysAfterClicks(): void {
  useEffect(() => {
    const clicked = (event: MouseEvent) => event.detail > 0 && requestAnimationFrame(giveUpFocus);
    window.addEventListener("click", clicked);
    return () => window.removeEventListener("click", clicked);
  }, []);
}
