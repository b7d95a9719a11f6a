import { skipToken, useQuery } from "@tanstack/react-query";
import { replayWorldQuery, useWorld } from "../../api/queries";
import type { ReplayDetail } from "../../api/types";

const NO_REPLAY = { run_id: "", meta: { world: "", config_hash: "", replay_id: "" } };

/**
 * The world of a replay in the configuration it was recorded in; idle while no replay is known.
 *
 * A replay whose configuration the server no longer understands is shown by the default one: its frames are all there.
 */
export function useReplayWorld(detail: ReplayDetail | undefined) {
  const options = replayWorldQuery(detail ?? NO_REPLAY);
  const recorded = useQuery(detail === undefined ? { ...options, queryFn: skipToken } : options);
  const usual = useWorld(recorded.error === null ? null : detail?.meta.world);
  return recorded.error === null ? recorded : usual;
}
