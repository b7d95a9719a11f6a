import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { completenessQuery } from "../../../api/queries";
import { Panel } from "../../../shared/Panel";
import { QueryError } from "../../../shared/states/QueryError";
import type { StudyRun } from "../../state/useStudyRuns";
import { CompletenessTable } from "./CompletenessTable";
import { LineageCard } from "./LineageCard";
import { SourceBadge } from "./SourceBadge";

/** How complete the record of a run is, and where every number on this page comes from. */
export function RecordTab({ run }: { run: StudyRun }) {
  const answer = useQuery(completenessQuery(run.id));
  if (answer.data === undefined) {
    return answer.error === null ? (
      <Skeleton h={320} radius="lg" role="status" aria-label="Loading the record" />
    ) : (
      <QueryError error={answer.error} what="the record" onRetry={() => void answer.refetch()} />
    );
  }
  return (
    <Stack>
      <Panel title="Completeness" note={run.id} action={<SourceBadge status={answer.data.overall_status} />}>
        <CompletenessTable sources={answer.data.sources} />
      </Panel>
      <Panel title="Lineage" note="What the run says about itself, and its files">
        <LineageCard completeness={answer.data} />
      </Panel>
    </Stack>
  );
}
