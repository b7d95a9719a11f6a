import type { QueryClient } from "@tanstack/react-query";
import { keys } from "../../api/keys";
import type { FollowData, FollowName } from "../../api/messages";
import type { RunDetail, RunList, RunState, WindowRow } from "../../api/types";
import type { StreamEvent } from "./eventStream";
import { mergeReplay } from "./mergeReplays";
import { mergeWindow } from "./mergeWindows";

type Writers = { [Name in FollowName]: (queries: QueryClient, run: string, data: FollowData[Name]) => void };

const WRITERS: Writers = {
  window: (queries, run, window) =>
    queries.setQueriesData<readonly WindowRow[]>(
      { queryKey: ["windows", run] },
      (windows) => windows && mergeWindow(windows, window),
    ),
  replay: (queries, run, replay) =>
    queries.setQueryData(keys.replays(run), (list: Parameters<typeof mergeReplay>[0] | undefined) =>
      list === undefined ? undefined : mergeReplay(list, replay),
    ),
  checkpoint: (queries, run, checkpoint) =>
    queries.setQueryData(
      keys.run(run),
      (detail: RunDetail | undefined) => detail && withCheckpoint(detail, checkpoint),
    ),
  status: (queries, run, state) => {
    queries.setQueryData(keys.run(run), (detail: RunDetail | undefined) => detail && withState(detail, state));
    queries.setQueriesData<RunList>({ queryKey: keys.allRuns }, (list) => list && listWithState(list, state));
  },
};

/** Writes what a run's stream said into the caches that pages read; events of other kinds are passed over. */
export function applyFollowed(queries: QueryClient, run: string, event: StreamEvent): void {
  if (isFollowName(event.name)) {
    write(queries, run, event.name, JSON.parse(event.data));
  }
}

function write<Name extends FollowName>(queries: QueryClient, run: string, name: Name, data: FollowData[Name]): void {
  WRITERS[name](queries, run, data);
}

function isFollowName(name: string): name is FollowName {
  return Object.hasOwn(WRITERS, name);
}

function withCheckpoint(detail: RunDetail, checkpoint: FollowData["checkpoint"]): RunDetail {
  const { sha256 } = checkpoint;
  if (sha256 === null) {
    return detail;
  }
  return { ...detail, metadata: { ...detail.metadata, latest_checkpoint: { ...checkpoint, sha256 } } };
}

function withState(detail: RunDetail, state: RunState): RunDetail {
  return { ...detail, metadata: { ...detail.metadata, ...state }, replay_count: state.replays_written };
}

function listWithState(list: RunList, state: RunState): RunList {
  const runs = list.runs.map((row) =>
    row.run_id === state.run_id
      ? {
          ...row,
          status: state.status,
          env_steps_total: state.env_steps_total,
          windows_emitted: state.windows_emitted,
          checkpoints_written: state.checkpoints_written,
          updated_at: state.updated_at,
          finished_at: state.finished_at,
        }
      : row,
  );
  return { ...list, runs };
}
