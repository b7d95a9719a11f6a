import type { Samples } from "./smoothing";

const TWO_SIDED_95 = 1.96;
const ROLLING_WINDOWS = 9;

export interface Band {
  low: (number | null)[];
  high: (number | null)[];
}

/**
 * Returns half the width of the 95% interval of each window's mean, from the spread of its own episodes.
 *
 * A window with fewer than two episodes says nothing about its spread: null.
 */
export function halfWidthsFromSpread(spreads: Samples, counts: Samples): (number | null)[] {
  return spreads.map((spread, row) => {
    const count = counts[row] ?? null;
    return spread === null || count === null || count < 2 ? null : (TWO_SIDED_95 * spread) / Math.sqrt(count);
  });
}

/** Returns the same from the values of the neighboring windows, up to four on each side, where rows carry no spread. */
export function halfWidthsFromNeighbors(values: Samples, span: number = ROLLING_WINDOWS): (number | null)[] {
  const reach = Math.floor(span / 2);
  return values.map((value, row) => (value === null ? null : halfWidthAround(values, row - reach, row + reach)));
}

/** Lays half widths around a line; where either is missing the band closes on the line. */
export function bandAround(line: Samples, halfWidths: Samples): Band {
  const side = (sign: number) =>
    line.map((center, row) => (center === null ? null : center + sign * (halfWidths[row] ?? 0)));
  return { low: side(-1), high: side(1) };
}

/** Keeps a band of shares where shares can be. */
export function bandOfShares({ low, high }: Band): Band {
  const inside = (value: number | null) => (value === null ? null : Math.min(1, Math.max(0, value)));
  return { low: low.map(inside), high: high.map(inside) };
}

/** Loops over the neighbors in place: long runs ask for this a million times. */
function halfWidthAround(values: Samples, first: number, last: number): number | null {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let row = Math.max(0, first); row <= Math.min(last, values.length - 1); row += 1) {
    const value = values[row];
    if (typeof value === "number") {
      count += 1;
      const step = value - sum / Math.max(1, count - 1);
      sum += value;
      squares += step * (value - sum / count);
    }
  }
  return count < 3 ? null : (TWO_SIDED_95 * Math.sqrt(squares / (count - 1))) / Math.sqrt(count);
}
