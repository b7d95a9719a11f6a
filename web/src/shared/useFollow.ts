import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { apiUrl } from "../api/base";
import { keys } from "../api/keys";
import { applyFollowed } from "./follow/applyFollowed";
import { type FollowState, followStream } from "./follow/followStream";
import { usePageVisible } from "./usePageVisible";

/**
 * Follows a run that is training: its new windows, checkpoints, replays and status land in the query caches.
 *
 * A stream holds one of the few connections a browser allows per server, so follow one run per page where possible. A
 * hidden page lets go of it and resumes after the last event it saw once it is shown again.
 *
 * Args:
 *   run: The run, or null to follow nothing.
 *
 * Returns:
 *   How the stream is; `off` while nothing is followed.
 */
export function useFollow(run: string | null): FollowState | "off" {
  const queries = useQueryClient();
  const isVisible = usePageVisible();
  const [state, setState] = useState<FollowState | "off">("off");
  const seen = useRef({ run, lastEventId: "" });

  useEffect(() => {
    if (run === null || !isVisible) {
      setState("off");
      return;
    }
    if (seen.current.run !== run) {
      seen.current = { run, lastEventId: "" };
    }
    const abort = new AbortController();
    let isCaughtUp = seen.current.lastEventId !== "";
    void followStream({
      url: apiUrl(`/api/runs/${encodeURIComponent(run)}/follow`),
      signal: abort.signal,
      lastEventId: seen.current.lastEventId,
      onState: setState,
      onEvent: (event) => {
        // A fresh stream begins with the present: what was written since the page asked is asked for once.
        if (!isCaughtUp) {
          isCaughtUp = true;
          void queries.invalidateQueries({ queryKey: ["windows", run] });
          void queries.invalidateQueries({ queryKey: keys.replays(run) });
        }
        seen.current = { run, lastEventId: event.id };
        applyFollowed(queries, run, event);
      },
    });
    return () => abort.abort();
  }, [run, isVisible, queries]);

  return state;
}
