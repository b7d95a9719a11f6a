const WINDOW_MS = 2000;
const SILENCE_MS = 1000;

/** Measures how many frames pass in a second, from when pictures came. */
export class FrameMeter {
  #notes: { frame: number; at: number }[] = [];

  note(frame: number, at: number): void {
    const last = this.#notes.at(-1);
    // A console that was reset, or went on from a state, counts anew.
    const kept = last !== undefined && frame < last.frame ? [] : this.#notes.filter((one) => at - one.at < WINDOW_MS);
    this.#notes = [...kept, { frame, at }];
  }

  /** Returns frames a second; 0 while nothing comes. */
  rate(now: number): number {
    const [first, last] = [this.#notes[0], this.#notes.at(-1)];
    if (first === undefined || last === undefined || last.at === first.at || now - last.at > SILENCE_MS) {
      return 0;
    }
    return ((last.frame - first.frame) * 1000) / (last.at - first.at);
  }
}
