/** Finds the first frame at or after a tick by looking at single frames; simulated time only grows. */

interface Known {
  index: number;
  t: number;
}

const MOST_LOOKS = 24;

/**
 * Args:
 *   tick: The moment that is looked for.
 *   frames: Number of frames of the replay.
 *   ticks: Simulated time of its last frame.
 *   look: Returns the `t` of a frame.
 */
export async function frameAtTick(
  tick: number,
  frames: number,
  ticks: number,
  look: (index: number) => Promise<number>,
): Promise<number> {
  if (frames === 0 || tick <= 0) {
    return 0;
  }
  if (tick >= ticks) {
    return frames - 1;
  }
  let low: Known = { index: -1, t: 0 };
  let high: Known = { index: frames - 1, t: ticks };
  for (let looks = 0; looks < MOST_LOOKS && high.index - low.index > 1; looks += 1) {
    const index = guess(tick, low, high, looks);
    const t = await look(index);
    if (t >= tick) {
      high = { index, t };
    } else {
      low = { index, t };
    }
  }
  return high.index;
}

/** Interpolates, and halves every third time so that uneven steps cannot make the search crawl. */
function guess(tick: number, low: Known, high: Known, looks: number): number {
  const share = looks % 3 === 2 ? 0.5 : (tick - low.t) / Math.max(1, high.t - low.t);
  const index = Math.round(low.index + share * (high.index - low.index));
  return Math.min(high.index - 1, Math.max(low.index + 1, index));
}
