import type { ReplayEntry, ReplayList } from "../../api/types";

/** Returns the list with a followed replay in it, newest first as the server orders it. */
export function mergeReplay(list: ReplayList, incoming: ReplayEntry): ReplayList {
  const others = list.replays.filter((replay) => replay.replay_id !== incoming.replay_id);
  const replays = [...others, incoming].sort(newestFirst);
  return { ...list, count: replays.length, replays };
}

function newestFirst(a: ReplayEntry, b: ReplayEntry): number {
  return b.window_id - a.window_id || compareText(b.created_at, a.created_at) || compareText(b.replay_id, a.replay_id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
