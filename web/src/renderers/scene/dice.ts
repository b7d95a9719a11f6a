/** Returns a function that yields the same numbers in 0..1 for the same seed; only for looks, never for rules. */
export function dice(seed: number): () => number {
  let word = (seed * 2_654_435_761 + 0x9e3779b9) >>> 0;
  return () => {
    word = (word + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
