/** Returns the path of a small curve in a box, or null with fewer than two values; gaps are bridged. */
export function sparklinePath(values: readonly (number | null)[], width: number, height: number): string | null {
  const points = values.flatMap((value, index) => (value === null ? [] : [[index, value] as const]));
  if (points.length < 2) {
    return null;
  }
  const ys = points.map(([, value]) => value);
  const low = Math.min(...ys);
  const range = Math.max(...ys) - low;
  const last = Math.max(values.length - 1, 1);
  return points
    .map(([index, value], place) => {
      const x = (index / last) * width;
      const y = range === 0 ? height / 2 : height - ((value - low) / range) * height;
      return `${place === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}
