import type { RunRow } from "../../api/types";

/** Returns the newest run that has curves, else the newest that can be read; null of none. */
export function firstToStudy(newestFirst: readonly RunRow[]): string | null {
  const readable = newestFirst.filter((run) => run.status !== "unreadable");
  return (readable.find((run) => (run.windows_emitted ?? 0) > 0) ?? readable[0])?.run_id ?? null;
}
