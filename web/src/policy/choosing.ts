/** Draws one option per head by their odds, or takes the likeliest decision where `chance` is null. */
export function chosenDecision(
  decided: { actions: readonly number[]; probabilities: readonly number[] },
  heads: readonly { options: number }[],
  chance: (() => number) | null,
): readonly number[] {
  if (chance === null) {
    return decided.actions;
  }
  let first = 0;
  return heads.map(({ options }, head) => {
    const odds = decided.probabilities.slice(first, first + options);
    first += options;
    const likeliest = decided.actions[head] ?? 0;
    const sum = odds.reduce((total, one) => total + one, 0);
    if (sum === 0) {
      return likeliest;
    }
    let left = chance() * sum;
    const drawn = odds.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    return drawn === -1 ? likeliest : drawn;
  });
}
