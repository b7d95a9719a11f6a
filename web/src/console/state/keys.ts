/** Which key of a keyboard stands for which key of the console; letters as they are printed, whatever the layout. */
export const KEYBOARD: Readonly<Record<string, string>> = {
  arrowup: "up",
  arrowdown: "down",
  arrowleft: "left",
  arrowright: "right",
  z: "a",
  x: "b",
  enter: "start",
  shift: "select",
};

/** What stands on the keys, for people. */
export const KEY_CAPS: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  a: "Z",
  b: "X",
  start: "Enter",
  select: "Shift",
};

const TEXT_FIELDS = "input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=listbox]";
const PRESSED_BY_ENTER = "button, a[href], summary, [role=button], [role=tab], [role=menuitem], [role=option]";

/** Whether a key is meant for something on the page that has the focus, not for the console. */
export function isForThePage(key: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) {
    return false;
  }
  if (target.closest(TEXT_FIELDS) !== null) {
    return true;
  }
  return key === "enter" && target.closest(PRESSED_BY_ENTER) !== null;
}

const DONE_WHEN_CLICKED = "button:not([aria-haspopup]):not([role=tab]), a[href], input[type=radio]";

/** Takes the focus off a button that was clicked, so that its keys are the console's again. */
export function giveUpFocus(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused.matches(DONE_WHEN_CLICKED) && focused.closest("[role=menu]") === null) {
    focused.blur();
  }
}

/** The keys that are held, from the keyboard and from the screen together, as the server takes them. */
export class HeldKeys {
  readonly #bits: ReadonlyMap<string, number>;
  readonly #held = new Map<string, Set<string>>();

  /** `names` are the keys of the console in the order of their bits. */
  constructor(names: readonly string[]) {
    this.#bits = new Map(names.map((name, place) => [name, 1 << place]));
  }

  get mask(): number {
    let mask = 0;
    for (const [name, sources] of this.#held) {
      mask |= sources.size > 0 ? (this.#bits.get(name) ?? 0) : 0;
    }
    return mask;
  }

  /** Presses a key for one source: a finger, or a key of the keyboard. */
  press(name: string, source: string): void {
    const sources = this.#held.get(name) ?? new Set();
    sources.add(source);
    this.#held.set(name, sources);
  }

  /** Lets go of everything that a source holds. */
  release(source: string): void {
    for (const sources of this.#held.values()) {
      sources.delete(source);
    }
  }

  releaseAll(): void {
    this.#held.clear();
  }
}

/** Returns the names of the keys in a mask. */
export function keysOf(names: readonly string[], mask: number): string[] {
  return names.filter((_, place) => (mask >> place) & 1);
}
