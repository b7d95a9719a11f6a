import type { RunRow } from "../../api/types";

export interface RunFilter {
  search: string;
  statuses: readonly string[];
  tags: readonly string[];
}

const SORT_KEYS = ["updated", "name", "steps"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface SortOrder {
  key: SortKey;
  isDescending: boolean;
}

/** Returns the runs that match every part of the filter; each word of the search must occur somewhere in the row. */
export function filterRuns(runs: readonly RunRow[], filter: RunFilter): RunRow[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter(
    (run) =>
      (filter.statuses.length === 0 || filter.statuses.includes(run.status)) &&
      filter.tags.every((tag) => run.tags.includes(tag)) &&
      words.every((word) => searchText(run).includes(word)),
  );
}

export function sortRuns(runs: readonly RunRow[], order: SortOrder): RunRow[] {
  const sign = order.isDescending ? -1 : 1;
  return runs.toSorted((a, b) => sign * compare(a, b, order.key) || compareText(a.run_id, b.run_id));
}

/** Returns all tags of the runs, the most common first. */
export function knownTags(runs: readonly RunRow[]): string[] {
  const counts = new Map<string, number>();
  for (const tag of runs.flatMap((run) => run.tags)) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts.entries()].toSorted(([a, x], [b, y]) => y - x || compareText(a, b)).map(([tag]) => tag);
}

function searchText(run: RunRow): string {
  return [run.run_id, run.world, run.status, run.trainer_backend, ...run.tags].join(" ").toLowerCase();
}

function compare(a: RunRow, b: RunRow, key: SortKey): number {
  if (key === "name") {
    return compareText(a.run_id, b.run_id);
  }
  if (key === "steps") {
    return (a.env_steps_total ?? -1) - (b.env_steps_total ?? -1);
  }
  return Date.parse(a.updated_at) - Date.parse(b.updated_at);
}

function compareText(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
