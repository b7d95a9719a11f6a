export type Samples = readonly (number | null)[];

/**
 * Returns an exponential moving average that starts unbiased at the first value.
 *
 * Args:
 *   values: One per window; null where a window has no value. Nulls stay null and do not disturb the average.
 *   weight: Share of the past in each value, 0 (no smoothing) up to but not including 1.
 */
export function smooth(values: Samples, weight: number): (number | null)[] {
  if (weight <= 0) {
    return [...values];
  }
  let average = 0;
  let mass = 0;
  return values.map((value) => {
    if (value === null) {
      return null;
    }
    average = weight * average + (1 - weight) * value;
    mass = weight * mass + (1 - weight);
    return average / mass;
  });
}
