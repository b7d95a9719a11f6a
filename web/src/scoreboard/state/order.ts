import type { ScoreboardMetric, ScoreboardRow } from "./calls";

/** A metric by its key, or the name of the player. */
export interface RowOrder {
  key: string;
  isDescending: boolean;
}

export const NAME = "name";

/** Best first by the first headline metric. */
export function usualOrder(metrics: readonly ScoreboardMetric[]): RowOrder {
  const first = metrics[0];
  return first === undefined ? { key: NAME, isDescending: false } : bestFirst(first);
}

export function bestFirst({ key, better }: ScoreboardMetric): RowOrder {
  return { key, isDescending: better !== "lower" };
}

/** Turns the order round where its column is chosen again; another column begins with its best. */
export function nextOrder(order: RowOrder, column: ScoreboardMetric | typeof NAME): RowOrder {
  const fresh = column === NAME ? { key: NAME, isDescending: false } : bestFirst(column);
  return fresh.key === order.key ? { ...order, isDescending: !order.isDescending } : fresh;
}

/** Returns the rows in order; those without the number come last either way. */
export function sortRows(rows: readonly ScoreboardRow[], { key, isDescending }: RowOrder): ScoreboardRow[] {
  const sign = isDescending ? -1 : 1;
  if (key === NAME) {
    return rows.toSorted((a, b) => sign * a.name.localeCompare(b.name));
  }
  return rows.toSorted((a, b) => {
    const [one, other] = [a.scores?.[key]?.value, b.scores?.[key]?.value];
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined);
    }
    return sign * (one - other);
  });
}

/** Returns how many rows have no result yet and can have one. */
export function countMissing(rows: readonly ScoreboardRow[]): number {
  return rows.filter((row) => row.status === "missing" || row.status === "playing").length;
}
