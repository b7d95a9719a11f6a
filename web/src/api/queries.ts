import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./client";
import { unwrap } from "./errors";
import { keys } from "./keys";
import type { ReplayDetail, SessionState, WindowRow } from "./types";

export const RUN_LIST_REFRESH_MS = 20_000;
const MAX_RUNS = 500;
const MAX_WINDOWS = 5000;
const MAX_REPLAYS = 5000;
const STATIC_MS = 5 * 60_000;

/** Ids of the worlds that are installed on the server. */
const worldsQuery = queryOptions({
  queryKey: keys.worlds,
  queryFn: ({ signal }) => unwrap(api.GET("/api/worlds", { signal })),
  staleTime: STATIC_MS,
});

/** A world in its default configuration, or in that of a variant. */
export const worldQuery = (world: string, variant: string | null = null) =>
  queryOptions({
    queryKey: keys.world(world, variant),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/worlds/{world}", {
          params: { path: { world }, query: variant === null ? {} : { variant } },
          signal,
        }),
      ),
    staleTime: STATIC_MS,
  });

/** The world of a session in its configuration; the sessions and replays of one configuration share the answer. */
export const sessionWorldQuery = (session: Pick<SessionState, "session_id" | "world" | "config_hash">) =>
  queryOptions({
    queryKey: keys.worldOf(session.world, session.config_hash),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/play/session/{session_id}/world", {
          params: { path: { session_id: session.session_id } },
          signal,
        }),
      ),
    // What a configuration means never changes, not even when a server was away and its session went with it.
    staleTime: "static" as const,
  });

interface RecordedWorld {
  run_id: string;
  meta: Pick<ReplayDetail["meta"], "world" | "config_hash" | "replay_id">;
}

/** The world of a replay in the configuration it was recorded in. */
export const replayWorldQuery = ({ run_id, meta }: RecordedWorld) =>
  queryOptions({
    queryKey: keys.worldOf(meta.world, meta.config_hash),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/runs/{run_id}/replays/{replay_id}/world", {
          params: { path: { run_id, replay_id: meta.replay_id } },
          signal,
        }),
      ),
    staleTime: "static" as const,
  });

/** The newest runs; asked again every 20 seconds while the page is visible. */
export const runsQuery = (world: string | null, limit = MAX_RUNS) =>
  queryOptions({
    queryKey: keys.runs(world, limit),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/runs", { params: { query: world === null ? { limit } : { limit, world } }, signal })),
    refetchInterval: RUN_LIST_REFRESH_MS,
    refetchIntervalInBackground: false,
  });

export const runQuery = (run: string) =>
  queryOptions({
    queryKey: keys.run(run),
    queryFn: ({ signal }) => unwrap(api.GET("/api/runs/{run_id}", { params: { path: { run_id: run } }, signal })),
  });

export const configQuery = (run: string) =>
  queryOptions({
    queryKey: keys.config(run),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/runs/{run_id}/config", { params: { path: { run_id: run } }, signal })),
    staleTime: STATIC_MS,
  });

async function fetchNewestWindows(run: string, limit: number, signal: AbortSignal): Promise<WindowRow[]> {
  const path = { run_id: run };
  const query = { limit, order: "desc" } as const;
  const page = await unwrap(api.GET("/api/runs/{run_id}/metrics/windows", { params: { path, query }, signal }));
  return page.windows.toReversed();
}

/** All windows of a run (the newest 5,000 of a very long one), oldest first. */
export const windowsQuery = (run: string) =>
  queryOptions({
    queryKey: keys.windows(run),
    queryFn: ({ signal }) => fetchNewestWindows(run, MAX_WINDOWS, signal),
  });

/** The last few windows of a run, oldest first. */
export const newestWindowsQuery = (run: string, limit: number) =>
  queryOptions({
    queryKey: keys.newestWindows(run, limit),
    queryFn: ({ signal }) => fetchNewestWindows(run, limit, signal),
  });

/** All replays of a run, newest first. */
export const replaysQuery = (run: string) =>
  queryOptions({
    queryKey: keys.replays(run),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/runs/{run_id}/replays", {
          params: { path: { run_id: run }, query: { limit: MAX_REPLAYS } },
          signal,
        }),
      ),
  });

/** The champions of all worlds; what comes with the server does not change while it runs. */
export const championsQuery = queryOptions({
  queryKey: keys.champions,
  queryFn: ({ signal }) => unwrap(api.GET("/api/champions", { signal })),
  staleTime: STATIC_MS,
});

/** The best replay of a world, or one for every world, by headline metric. */
export const bestReplaysQuery = (world: string | null) =>
  queryOptions({
    queryKey: keys.bestReplays(world),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/best-replays", { params: { query: world === null ? {} : { world } }, signal })),
    refetchInterval: RUN_LIST_REFRESH_MS,
    refetchIntervalInBackground: false,
  });

export const completenessQuery = (run: string) =>
  queryOptions({
    queryKey: keys.completeness(run),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/runs/{run_id}/analytics/completeness", { params: { path: { run_id: run } }, signal })),
  });

export const trackerStatusQuery = queryOptions({
  queryKey: keys.trackerStatus,
  queryFn: ({ signal }) => unwrap(api.GET("/api/wandb/status", { signal })),
});

export const trackedRunsQuery = queryOptions({
  queryKey: keys.trackedRuns,
  queryFn: ({ signal }) => unwrap(api.GET("/api/wandb/runs/latest", { signal })),
});

export const trackedRunQuery = (run: string) =>
  queryOptions({
    queryKey: keys.trackedRun(run),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/wandb/runs/{run_id}/iteration-view", { params: { path: { run_id: run } }, signal })),
  });

export function useWorlds() {
  return useQuery(worldsQuery);
}

/** The descriptor of a world, or of one of its variants; idle while no world is known. */
export function useWorld(world: string | null | undefined, variant: string | null = null) {
  return useQuery({ ...worldQuery(world ?? "", variant), enabled: world !== null && world !== undefined });
}
