/** Steps that come faster or slower than this are not blended over their whole time. */
const RANGE_MS = { least: 60, most: 1000 } as const;
const FIRST_MS = 320;

/** Tells how far a step has got on screen: ships glide from one moment to the next as fast as moments come. */
export class Pace {
  #intervalMs = FIRST_MS;
  #sinceMs = FIRST_MS;
  #lastMs: number | null = null;

  /** A moment is shown at a time of the page's clock; `isNext` if it follows the one before. */
  begin(nowMs: number, isNext: boolean): void {
    if (isNext && this.#lastMs !== null) {
      const gap = Math.min(RANGE_MS.most, Math.max(RANGE_MS.least, nowMs - this.#lastMs));
      // The last gap counts for half: one late moment does not slow the next ones down.
      this.#intervalMs = (this.#intervalMs + gap) / 2;
    } else {
      this.#intervalMs = FIRST_MS;
    }
    this.#sinceMs = isNext ? 0 : FIRST_MS;
    this.#lastMs = nowMs;
  }

  /** Goes on; returns the share of the step that is over. */
  advance(elapsedMs: number): number {
    this.#sinceMs += elapsedMs;
    return Math.min(1, this.#sinceMs / this.#intervalMs);
  }
}
