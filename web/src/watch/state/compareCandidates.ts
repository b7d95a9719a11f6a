import type { ReplayEntry } from "../../api/types";

export interface Candidate {
  replay: ReplayEntry;
  isSameSeed: boolean;
}

/** Returns the replays that can stand beside the present one: same seed first, then as listed. */
export function compareCandidates(replays: readonly ReplayEntry[], current: ReplayEntry | undefined): Candidate[] {
  const others = replays
    .filter((replay) => replay.world === (current?.world ?? replay.world))
    .filter((replay) => replay.run_id !== current?.run_id || replay.replay_id !== current.replay_id)
    .map((replay) => ({ replay, isSameSeed: replay.seed === current?.seed }));
  return [...others.filter((other) => other.isSameSeed), ...others.filter((other) => !other.isSameSeed)];
}
