import type { RunRow, RunStatus } from "../../api/types";

/** A run that says it is running but has written nothing for this long is shown as stale. */
export const STALE_AFTER_MS = 30 * 60_000;

export type ShownStatus = RunStatus | "stale";

/** Returns what to tell people about a run; a process that was killed cannot say so itself. */
export function shownStatus(run: Pick<RunRow, "status" | "updated_at">, now: number): ShownStatus {
  const isSilent = now - Date.parse(run.updated_at) > STALE_AFTER_MS;
  return run.status === "running" && isSilent ? "stale" : run.status;
}
