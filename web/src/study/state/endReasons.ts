import type { WindowRow } from "../../api/types";

export interface EndReasonShare {
  reason: string;
  count: number;
  share: number;
}

/** Returns how often episodes ended for each reason, the most common first. */
export function endReasonShares(windows: readonly WindowRow[]): EndReasonShare[] {
  const counts = new Map<string, number>();
  for (const [reason, count] of windows.flatMap((window) => Object.entries(window.end_reason_counts))) {
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts.entries()]
    .map(([reason, count]) => ({ reason, count, share: count / total }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
