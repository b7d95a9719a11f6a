import { Alert, Badge, Skeleton, Stack, Table, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CloudOff, Info } from "lucide-react";
import { useState } from "react";
import { trackedRunsQuery } from "../../../api/queries";
import type { TrackerStatus } from "../../../api/types";
import { formatAge } from "../../../shared/format";
import { Panel } from "../../../shared/Panel";
import { QueryError } from "../../../shared/states/QueryError";
import { StateMessage } from "../../../shared/states/StateMessage";
import { useNow } from "../../../shared/useNow";
import { TrackedRunView } from "./TrackedRunView";
import classes from "./tracker.module.css";

/** The last ten tracked runs; choosing one shows its figures and trends. */
export function TrackedRuns({ status }: { status: TrackerStatus }) {
  const now = useNow();
  const runs = useQuery(trackedRunsQuery);
  const [chosen, choose] = useState<string | null>(null);
  if (runs.data === undefined) {
    return runs.error === null ? (
      <Skeleton h={240} radius="lg" role="status" aria-label="Loading the tracked runs" />
    ) : (
      <QueryError error={runs.error} what="the tracked runs" onRetry={() => void runs.refetch()} />
    );
  }
  const shown = chosen ?? runs.data.runs[0]?.run_id ?? null;
  const scope = [runs.data.entity, runs.data.project].filter(Boolean).join(" / ");
  return (
    <Stack>
      {status.reason !== null && (
        <Alert variant="light" color="iris" icon={<Info size={16} aria-hidden />}>
          {status.reason}
        </Alert>
      )}
      <Panel title="Tracked runs" note={status.source === "offline" ? "Read from the disk" : scope}>
        {runs.data.runs.length === 0 ? (
          <StateMessage icon={CloudOff} title="No tracked run yet" isCompact />
        ) : (
          <Table horizontalSpacing="md" verticalSpacing={7} fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Run</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th ta="right">Updated</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {runs.data.runs.map((run) => (
                <Table.Tr key={run.run_id} className={classes.row} data-chosen={run.run_id === shown}>
                  <Table.Td>
                    <UnstyledButton
                      className={classes.name}
                      aria-pressed={run.run_id === shown}
                      onClick={() => choose(run.run_id)}
                    >
                      {run.name || run.run_id}
                    </UnstyledButton>
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="light" color="gray" tt="none">
                      {run.state}
                    </Badge>
                  </Table.Td>
                  <Table.Td ta="right">{formatAge(run.updated_at ?? run.created_at, now)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Panel>
      {shown !== null && <TrackedRunView run={shown} />}
    </Stack>
  );
}
