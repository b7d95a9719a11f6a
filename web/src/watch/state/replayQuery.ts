import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { ReplayRef } from "./deepLink";

/** What is known about a replay besides its frames. */
export const replayQuery = (ref: ReplayRef) =>
  queryOptions({
    queryKey: ["replay", ref.run, ref.replay],
    queryFn: ({ signal }) => {
      const path = { run_id: ref.run, replay_id: ref.replay };
      return unwrap(api.GET("/api/runs/{run_id}/replays/{replay_id}", { params: { path }, signal }));
    },
    staleTime: 60_000,
  });
