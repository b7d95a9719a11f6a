import type { BestReplay, RunRow } from "../../api/types";
import type { ReplayRef } from "./deepLink";

/** Returns the replay that opens where none is named: the best of the world whose run was updated last. */
export function firstShown(best: readonly BestReplay[], runs: readonly RunRow[]): ReplayRef | null {
  const current = runs.find((run) => run.replay_count > 0)?.world;
  const chosen = best.find((row) => row.world === current) ?? best[0];
  return chosen === undefined ? null : { run: chosen.run_id, replay: chosen.replay.replay_id };
}
