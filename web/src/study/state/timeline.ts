import type { LatestCheckpoint, ReplayEntry } from "../../api/types";

export interface CheckpointMark {
  window: number;
  path: string;
}

export interface Timeline {
  /** Oldest first. */
  replays: ReplayEntry[];
  checkpoints: CheckpointMark[];
  firstWindow: number;
  lastWindow: number;
  lowestReturn: number;
  highestReturn: number;
}

/** Returns replays and the checkpoints they name over window numbers, or null when there is neither. */
export function buildTimeline(
  newestFirst: readonly ReplayEntry[],
  latestCheckpoint: LatestCheckpoint | null,
): Timeline | null {
  const replays = newestFirst.toReversed();
  const marks = new Map<string, CheckpointMark>();
  for (const replay of replays) {
    if (replay.checkpoint_path !== null) {
      marks.set(replay.checkpoint_path, { window: replay.window_id, path: replay.checkpoint_path });
    }
  }
  if (latestCheckpoint !== null) {
    marks.set(latestCheckpoint.path, { window: latestCheckpoint.window_id, path: latestCheckpoint.path });
  }
  const checkpoints = [...marks.values()].toSorted((a, b) => a.window - b.window);
  const windows = [...replays.map((replay) => replay.window_id), ...checkpoints.map((mark) => mark.window)];
  if (windows.length === 0) {
    return null;
  }
  const returns = replays.map((replay) => replay.return_total);
  return {
    replays,
    checkpoints,
    firstWindow: Math.min(...windows),
    lastWindow: Math.max(...windows),
    lowestReturn: Math.min(...returns, Number.POSITIVE_INFINITY),
    highestReturn: Math.max(...returns, Number.NEGATIVE_INFINITY),
  };
}
