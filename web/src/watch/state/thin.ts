/** Returns at most `points` values spread evenly over an array; what is not known is null. */
export function thin(values: Float64Array, points: number): (number | null)[] {
  const count = Math.min(points, values.length);
  return Array.from({ length: count }, (_, place) => {
    const index = count <= 1 ? 0 : Math.round((place / (count - 1)) * (values.length - 1));
    const value = nearestKnown(values, index, Math.ceil(values.length / count / 2));
    return value === undefined ? null : value;
  });
}

function nearestKnown(values: Float64Array, index: number, reach: number): number | undefined {
  for (let away = 0; away <= reach; away += 1) {
    for (const place of [index - away, index + away]) {
      const value = values[place];
      if (value !== undefined && Number.isFinite(value)) {
        return value;
      }
    }
  }
  return undefined;
}
