import type { ReplayEntry } from "../../api/types";

/** Returns the replays that carry every chosen tag and belong to the chosen window. */
export function filterReplays(
  replays: readonly ReplayEntry[],
  tags: readonly string[],
  windowId: number | null,
): ReplayEntry[] {
  return replays.filter(
    (replay) => tags.every((tag) => replay.tags.includes(tag)) && (windowId === null || replay.window_id === windowId),
  );
}
