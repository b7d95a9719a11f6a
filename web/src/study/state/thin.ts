import type { Series } from "./series";

/** More points than a chart has pixels cost time and show nothing. */
const MAX_POINTS = 1200;

/** Returns every n-th point of a long line, always with the newest one. */
export function thin(series: Series, maxPoints: number = MAX_POINTS): Series {
  const stride = Math.ceil(series.x.length / maxPoints);
  if (stride <= 1) {
    return series;
  }
  const last = series.x.length - 1;
  const keep = <Value>(values: readonly Value[]) => values.filter((_, row) => (last - row) % stride === 0);
  const band = series.band && { low: keep(series.band.low), high: keep(series.band.high) };
  return { x: keep(series.x), y: keep(series.y), band };
}
