import { Group, Skeleton, Switch, Table, Text, TextInput } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Equal, Search } from "lucide-react";
import { useMemo, useState } from "react";
import { configQuery } from "../../../api/queries";
import type { JsonValue } from "../../../api/types";
import { Panel } from "../../../shared/Panel";
import { QueryError } from "../../../shared/states/QueryError";
import { StateMessage } from "../../../shared/states/StateMessage";
import { diffConfigs, showConfigValue } from "../../state/configDiff";
import type { StudyRun } from "../../state/useStudyRuns";
import classes from "../../study.module.css";
import config from "./config.module.css";

/** The configurations of the chosen runs side by side; with several runs only what differs, unless asked otherwise. */
export function ConfigDiff({ runs }: { runs: readonly StudyRun[] }) {
  const [isOnlyDifferent, setOnlyDifferent] = useState(true);
  const [search, setSearch] = useState("");
  const answers = useQueries({ queries: runs.map((run) => configQuery(run.id)) });
  const configs = answers.map((answer) => answer.data?.config as JsonValue | undefined);
  const known = JSON.stringify(configs);
  const rows = useMemo(() => diffConfigs((JSON.parse(known) as (JsonValue | null)[]).map((one) => one ?? {})), [known]);
  const failed = answers.find((answer) => answer.error !== null);

  if (failed?.error) {
    return <QueryError error={failed.error} what="a configuration" onRetry={() => void failed.refetch()} />;
  }
  if (answers.some((answer) => answer.isPending)) {
    return <Skeleton h={320} radius="lg" role="status" aria-label="Loading the configurations" />;
  }
  const isComparison = runs.length > 1;
  const wanted = search.trim().toLowerCase();
  const shown = rows.filter(
    (row) => row.path.toLowerCase().includes(wanted) && (!isComparison || !isOnlyDifferent || row.isDifferent),
  );
  const differing = rows.filter((row) => row.isDifferent).length;
  return (
    <Panel
      title="Configuration"
      note={isComparison ? `${differing} of ${rows.length} settings differ` : `${rows.length} settings`}
      action={
        <Group gap="sm">
          {isComparison && (
            <Switch
              size="xs"
              label="Only differences"
              checked={isOnlyDifferent}
              onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
            />
          )}
          <TextInput
            size="xs"
            aria-label="Search settings"
            placeholder="Search settings"
            leftSection={<Search size={13} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </Group>
      }
    >
      {shown.length === 0 ? (
        <StateMessage
          icon={Equal}
          title={wanted === "" ? "The configurations are equal" : "No setting of that name"}
          isCompact
        />
      ) : (
        <Table.ScrollContainer minWidth={480}>
          <Table horizontalSpacing="md" verticalSpacing={5} fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Setting</Table.Th>
                {runs.map((run) => (
                  <Table.Th key={run.id}>
                    <Group gap={6} wrap="nowrap">
                      <span className={classes.swatch} style={{ background: run.color }} aria-hidden="true" />
                      {run.id}
                    </Group>
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <Table.Tr key={row.path} className={config.row} data-different={row.isDifferent && !isOnlyDifferent}>
                  <Table.Td className="mono">{row.path}</Table.Td>
                  {row.values.map((value, place) => (
                    <Table.Td key={runs[place]?.id} className="mono">
                      <Text span inherit c={value === undefined ? "dimmed" : undefined}>
                        {showConfigValue(value)}
                      </Text>
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  );
}
