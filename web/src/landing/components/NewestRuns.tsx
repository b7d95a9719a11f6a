import { Anchor, Group, Skeleton, Stack, Table, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Sprout } from "lucide-react";
import { Link } from "wouter";
import { runsQuery } from "../../api/queries";
import { NoRuns } from "../../shared/states/NoRuns";
import { QueryError } from "../../shared/states/QueryError";
import { useNow } from "../../shared/useNow";
import { useSelectedWorld } from "../../shared/world/useSelectedWorld";
import { NewestRunRow } from "./NewestRunRow";

const SHOWN_RUNS = 8;

/** The runs that were written last, with their curve so far. */
export function NewestRuns() {
  return (
    <Stack component="section" gap="md" aria-labelledby="runs-title">
      <Group justify="space-between">
        <Title order={2} size="h3" id="runs-title">
          Newest runs
        </Title>
        <Anchor component={Link} href="/analytics" size="sm">
          All runs in Study
        </Anchor>
      </Group>
      <div className="case">
        <NewestRunTable />
      </div>
    </Stack>
  );
}

function NewestRunTable() {
  const [world] = useSelectedWorld();
  const runs = useQuery(runsQuery(world, SHOWN_RUNS));
  const now = useNow();
  if (runs.data === undefined) {
    if (runs.error !== null) {
      return <QueryError error={runs.error} what="the runs" onRetry={() => void runs.refetch()} />;
    }
    return (
      <Stack p="md" gap="sm" role="status" aria-busy="true" aria-label="Loading the runs">
        {["first", "second", "third", "fourth"].map((row) => (
          <Skeleton key={row} h={28} />
        ))}
      </Stack>
    );
  }
  if (runs.data.runs.length === 0) {
    return <NoRuns icon={Sprout} title="No runs yet" isCompact />;
  }
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Run</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="right">Steps</Table.Th>
            <Table.Th>Return</Table.Th>
            <Table.Th ta="right">Replays</Table.Th>
            <Table.Th ta="right">Updated</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.data.runs.map((run) => (
            <NewestRunRow key={run.run_id} run={run} now={now} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
