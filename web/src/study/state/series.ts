import type { WindowRow } from "../../api/types";
import { type Band, bandAround, bandOfShares, halfWidthsFromNeighbors, halfWidthsFromSpread } from "./bands";
import type { ChartSpec } from "./chartCatalog";
import { type Samples, smooth } from "./smoothing";
import { type XAxis, xValues } from "./xAxis";

export interface Series {
  x: number[];
  y: (number | null)[];
  band: Band | null;
}

export interface SeriesOptions {
  xAxis: XAxis;
  smoothing: number;
  hasBands: boolean;
}

/** Returns the column of a field, null where a window has no finite number in it. */
export function column(windows: readonly WindowRow[], field: string): (number | null)[] {
  return windows.map((window) => {
    const value = window[field];
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  });
}

/** Returns one run's line of a chart, smoothed, with its confidence band where asked for. */
export function buildSeries(windows: readonly WindowRow[], spec: ChartSpec, options: SeriesOptions): Series {
  const values = column(windows, spec.field);
  const y = smooth(values, options.smoothing);
  const x = xValues(windows, options.xAxis);
  if (!options.hasBands) {
    return { x, y, band: null };
  }
  const halfWidths = smooth(ownHalfWidths(windows, spec, values), options.smoothing);
  const band = bandAround(y, halfWidths);
  return { x, y, band: spec.isShare === true ? bandOfShares(band) : band };
}

function ownHalfWidths(windows: readonly WindowRow[], spec: ChartSpec, values: Samples): (number | null)[] {
  return spec.spreadField === undefined
    ? halfWidthsFromNeighbors(values)
    : halfWidthsFromSpread(column(windows, spec.spreadField), column(windows, "episodes_completed"));
}
