import type { BestReplay, ChampionRow } from "../../api/types";
import { watchAddress } from "../../watch/state/deepLink";

export interface ShownReplay {
  href: string;
  label: string;
}

/** Returns the replay that a world is shown by: its champion's, else the best; null where there is none. */
export function shownReplay(
  champion: Pick<ChampionRow, "run_id" | "replay_id"> | undefined,
  best: Pick<BestReplay, "run_id" | "replay"> | undefined,
): ShownReplay | null {
  if (champion !== undefined) {
    return { href: watchAddress({ run: champion.run_id, replay: champion.replay_id }, 0), label: "Watch champion" };
  }
  if (best !== undefined) {
    return { href: watchAddress({ run: best.run_id, replay: best.replay.replay_id }, 0), label: "Watch best replay" };
  }
  return null;
}
