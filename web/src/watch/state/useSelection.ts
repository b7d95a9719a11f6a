import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLocation, useParams, useSearch } from "wouter";
import { bestReplaysQuery, championsQuery, replaysQuery, runsQuery, useWorld } from "../../api/queries";
import type { BestReplay, ChampionRow, ReplayEntry, RunRow } from "../../api/types";
import { bestReplay } from "../../shared/replay/bestReplay";
import { useSelectedWorld } from "../../shared/world/useSelectedWorld";
import { decodeRun, parseSearch, type ReplayRef, watchAddress } from "./deepLink";
import { firstShown } from "./firstShown";

const NO_RUNS: readonly RunRow[] = [];
const NO_REPLAYS: readonly ReplayEntry[] = [];
const NO_CHAMPIONS: readonly ChampionRow[] = [];
const NO_BEST: readonly BestReplay[] = [];

export interface Selection {
  runs: readonly RunRow[];
  /** Of the chosen world, or of all. */
  champions: readonly ChampionRow[];
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

/** What the address names; the best replay of the world, or of the run, where it names none. */
export function useSelection(): Selection {
  const [, go] = useLocation();
  const { run: namedPart, replay: namedReplay } = useParams<{ run?: string; replay?: string }>();
  const namedRun = namedPart === undefined ? undefined : decodeRun(namedPart);
  const search = useSearch();
  const { t, compare } = useMemo(() => parseSearch(search), [search]);
  const compareRef = useStableRef(compare);
  const [world] = useSelectedWorld();
  const runList = useQuery(runsQuery(world));
  const runs = runList.data?.runs ?? NO_RUNS;
  const champions = useQuery(championsQuery).data?.champions ?? NO_CHAMPIONS;
  const best = useQuery({ ...bestReplaysQuery(world), enabled: namedRun === undefined });
  const isChoosing = namedRun === undefined && (runList.isPending || best.isPending);
  const first = isChoosing || namedRun !== undefined ? null : firstShown(best.data?.replays ?? NO_BEST, runs);
  const runId = namedRun ?? (isChoosing ? null : (first?.run ?? runs[0]?.run_id ?? null));
  const replayList = useQuery({ ...replaysQuery(runId ?? ""), enabled: runId !== null });
  const replays = replayList.data?.replays ?? NO_REPLAYS;
  const isBestOfRun = namedRun !== undefined && namedReplay === undefined;
  const descriptor = useWorld(isBestOfRun ? (replays[0]?.world ?? null) : null);
  const ofRun = isBestOfRun && descriptor.data !== undefined ? bestReplay(replays, descriptor.data) : null;
  // A world that cannot be described any more has replays that can be looked at.
  const fallback = isBestOfRun && descriptor.error === null ? null : (replays[0]?.replay_id ?? null);
  const replayId = namedReplay ?? first?.replay ?? ofRun?.replay_id ?? fallback;

  useEffect(() => {
    if (runId !== null && replayId !== null && (namedRun === undefined || namedReplay === undefined)) {
      go(watchAddress({ run: runId, replay: replayId }, t ?? 0, compareRef), { replace: true });
    }
  }, [runId, replayId, namedRun, namedReplay, t, compareRef, go]);
  const ref = useStableRef(runId !== null && replayId !== null ? { run: runId, replay: replayId } : null);

  return {
    runs,
    champions: world === null ? champions : champions.filter((row) => row.world === world),
    run: runs.find((row) => row.run_id === runId) ?? null,
    runId,
    replays,
    ref,
    compare: compareRef,
    linkedTick: t,
    isLoading:
      isChoosing ||
      (runId !== null && replayList.isPending) ||
      (isBestOfRun && replays.length > 0 && descriptor.isPending),
    error: (namedRun === undefined ? runList.error : null) ?? (namedReplay === undefined ? replayList.error : null),
    retry: () => {
      void runList.refetch();
      if (namedRun === undefined) {
        void best.refetch();
      }
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
