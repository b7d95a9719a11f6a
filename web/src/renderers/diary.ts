import type { RenderState } from "./renderer";

/** What is remembered of the moments of an episode up to one of them, oldest first. */
export interface Past {
  notes: readonly unknown[];
  /** Whether no earlier moment is missing. */
  isWhole: boolean;
}

/**
 * Notes of the moments of an episode, by the number of decisions before them: 0 is the opening.
 *
 * Moments may come in any order and more than once, as frames do that are loaded around the screen. What is remembered at
 * a moment is made of the moments before it alone, wherever somebody came from: by playing on, seeking or taking back.
 */
export class Diary {
  readonly #noteOf: (state: RenderState) => unknown;
  #notes: unknown[] = [];
  #gap = 0;

  constructor(noteOf: (state: RenderState) => unknown) {
    this.#noteOf = noteOf;
  }

  /** The first moment that is missing. */
  get gap(): number {
    return this.#gap;
  }

  put(moment: number, state: RenderState): void {
    this.#notes[moment] = this.#noteOf(state);
    while (this.#notes[this.#gap] !== undefined) {
      this.#gap += 1;
    }
  }

  has(moment: number): boolean {
    return this.#notes[moment] !== undefined;
  }

  /** Forgets a moment and all after it. */
  cut(moment: number): void {
    this.#notes.length = Math.min(this.#notes.length, moment);
    this.#gap = Math.min(this.#gap, moment);
  }

  upTo(moment: number): Past {
    const notes = this.#notes.slice(0, moment + 1).filter((note) => note !== undefined);
    return { notes, isWhole: this.#gap > moment };
  }

  /** Everything that is remembered, also of moments later than the one on screen. */
  all(): Past {
    return this.upTo(this.#notes.length - 1);
  }
}
