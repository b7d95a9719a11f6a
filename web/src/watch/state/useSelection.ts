import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLocation, useParams, useSearch } from "wouter";
import { replaysQuery, runsQuery } from "../../api/queries";
import type { ReplayEntry, RunRow } from "../../api/types";
import { useSelectedWorld } from "../../shared/world/useSelectedWorld";
import { parseSearch, type ReplayRef, watchAddress } from "./deepLink";

const NO_RUNS: readonly RunRow[] = [];
const NO_REPLAYS: readonly ReplayEntry[] = [];

export interface Selection {
  runs: readonly RunRow[];
  run: RunRow | null;
  runId: string | null;
  replays: readonly ReplayEntry[];
  ref: ReplayRef | null;
  compare: ReplayRef | null;
  /** Simulated time named by the address when it was opened, or null. */
  linkedTick: number | null;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
}

/** What the address names; the newest run and its newest replay where it names nothing. */
export function useSelection(): Selection {
  const [, go] = useLocation();
  const { run: namedRun, replay: namedReplay } = useParams<{ run?: string; replay?: string }>();
  const search = useSearch();
  const { t, compare } = useMemo(() => parseSearch(search), [search]);
  const compareRef = useStableRef(compare);
  const [world] = useSelectedWorld();
  const runList = useQuery(runsQuery(world));
  const runs = runList.data?.runs ?? NO_RUNS;
  const runId = namedRun ?? (runs.find((row) => row.replay_count > 0) ?? runs[0])?.run_id ?? null;
  const replayList = useQuery({ ...replaysQuery(runId ?? ""), enabled: runId !== null });
  const replays = replayList.data?.replays ?? NO_REPLAYS;
  const replayId = namedReplay ?? replays[0]?.replay_id ?? null;

  useEffect(() => {
    if (runId !== null && replayId !== null && (namedRun === undefined || namedReplay === undefined)) {
      go(watchAddress({ run: runId, replay: replayId }, t ?? 0, compareRef), { replace: true });
    }
  }, [runId, replayId, namedRun, namedReplay, t, compareRef, go]);
  const ref = useStableRef(runId !== null && replayId !== null ? { run: runId, replay: replayId } : null);

  return {
    runs,
    run: runs.find((row) => row.run_id === runId) ?? null,
    runId,
    replays,
    ref,
    compare: compareRef,
    linkedTick: t,
    isLoading: (namedRun === undefined && runList.isPending) || (runId !== null && replayList.isPending),
    error: (namedRun === undefined ? runList.error : null) ?? (namedReplay === undefined ? replayList.error : null),
    retry: () => {
      void runList.refetch();
      if (runId !== null) {
        void replayList.refetch();
      }
    },
  };
}

/** Keeps the same object as long as it names the same replay, so that effects run only when it does not. */
function useStableRef(ref: ReplayRef | null): ReplayRef | null {
  const { run, replay } = ref ?? { run: null, replay: null };
  return useMemo(() => (run === null || replay === null ? null : { run, replay }), [run, replay]);
}
