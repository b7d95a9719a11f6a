import type uPlot from "uplot";
import type { Series } from "../state/series";

/** Columns per run: its line, and the edges of its band whether it has one or not. */
export const COLUMNS_PER_RUN = 3;

/** Returns the lines of several runs over one common x axis as uPlot wants them; a run without windows keeps its place. */
export function alignSeries(lines: readonly Series[]): uPlot.AlignedData {
  const xs = [...new Set(lines.flatMap((line) => line.x))].sort((a, b) => a - b);
  const rowOf = new Map(xs.map((x, row) => [x, row]));
  const columns = lines.flatMap(({ x, y, band }) =>
    [y, band?.low, band?.high].map((values) => {
      const column = new Array<number | null>(xs.length).fill(null);
      values?.forEach((value, place) => {
        column[rowOf.get(x[place] as number) as number] = value;
      });
      return column;
    }),
  );
  return [xs, ...columns];
}

/** Returns the index nearest to `at` where a column has a value; other runs may have none at that very x. */
export function nearestValue(values: ArrayLike<number | null | undefined>, at: number): number {
  for (let distance = 0; distance < values.length; distance += 1) {
    for (const index of [at - distance, at + distance]) {
      if (typeof values[index] === "number") {
        return index;
      }
    }
  }
  return at;
}
