import type { RunRow } from "../../api/types";

/** Returns the address of the newest replay among the runs, or null when none has one. */
export function newestReplayHref(runs: readonly RunRow[]): string | null {
  const replays = runs.flatMap((run) => (run.latest_replay === null ? [] : [run.latest_replay]));
  const newest = replays.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))[0];
  return newest === undefined ? null : `/watch/${newest.run_id}/${newest.replay_id}`;
}
