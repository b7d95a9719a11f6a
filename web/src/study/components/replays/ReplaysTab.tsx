import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Clapperboard } from "lucide-react";
import { replaysQuery } from "../../../api/queries";
import type { WorldDescriptor } from "../../../api/types";
import { Panel } from "../../../shared/Panel";
import { QueryError } from "../../../shared/states/QueryError";
import { StateMessage } from "../../../shared/states/StateMessage";
import { buildTimeline } from "../../state/timeline";
import type { StudyRun } from "../../state/useStudyRuns";
import { ReplayTable } from "./ReplayTable";
import { TimelineChart } from "./TimelineChart";

export function ReplaysTab({ run, descriptor }: { run: StudyRun; descriptor: WorldDescriptor | undefined }) {
  const replays = useQuery(replaysQuery(run.id));
  if (replays.data === undefined) {
    return replays.error === null ? (
      <Skeleton h={320} radius="lg" role="status" aria-label="Loading the replays" />
    ) : (
      <QueryError error={replays.error} what="the replays" onRetry={() => void replays.refetch()} />
    );
  }
  const timeline = buildTimeline(replays.data.replays, run.row?.latest_checkpoint ?? null);
  if (timeline === null) {
    return (
      <StateMessage
        icon={Clapperboard}
        title="No checkpoint and no replay yet"
        hint="A run records a replay from its last checkpoint when it completes, and one per checkpointed window with --eval-replays-per-window 1."
        isCompact
      />
    );
  }
  return (
    <Stack>
      <Panel title="Timeline" note={`Return of the recorded replays and their checkpoints, by window, of ${run.id}`}>
        <TimelineChart timeline={timeline} />
      </Panel>
      <Panel title="Replays" note={`${replays.data.count}`}>
        <ReplayTable replays={replays.data.replays} descriptor={descriptor} />
      </Panel>
    </Stack>
  );
}
