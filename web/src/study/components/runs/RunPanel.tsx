import { Group, Stack, Text, Title } from "@mantine/core";
import { SearchX } from "lucide-react";
import { useMemo, useState } from "react";
import type { RunRow } from "../../../api/types";
import { SkipLink } from "../../../shared/SkipLink";
import { StateMessage } from "../../../shared/states/StateMessage";
import { filterRuns, knownTags, type RunFilter, type SortOrder, sortRuns } from "../../state/filters";
import { MAX_SELECTED } from "../../state/selection";
import classes from "../../study.module.css";
import { RunFilters } from "./RunFilters";
import { RunTable } from "./RunTable";

interface Props {
  rows: readonly RunRow[];
  /** Runs on the server; more than `rows` when only the newest were sent. */
  total: number;
  selected: readonly string[];
  onSelect: (runs: string[]) => void;
}

/** What the study of the chosen runs is called in the document, to skip the list of all of them. */
export const BODY_ID = "study";

const NO_FILTER: RunFilter = { search: "", statuses: [], tags: [] };

/** All runs: find, sort and choose up to eight of them. */
export function RunPanel({ rows, total, selected, onSelect }: Props) {
  const [filter, setFilter] = useState(NO_FILTER);
  const [order, setOrder] = useState<SortOrder>({ key: "updated", isDescending: true });
  const shown = useMemo(() => sortRuns(filterRuns(rows, filter), order), [rows, filter, order]);
  const tags = useMemo(() => knownTags(rows), [rows]);
  const toggle = (run: string) =>
    onSelect(
      selected.includes(run) ? selected.filter((other) => other !== run) : [...selected, run].slice(-MAX_SELECTED),
    );
  return (
    <aside className={`case ${classes.panel}`} aria-label="Runs">
      <Stack gap="sm" p="md">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Runs
          </Title>
          <Text size="xs" c="dimmed" className="tabular">
            {selected.length} of {total} chosen
          </Text>
        </Group>
        <RunFilters filter={filter} onChange={setFilter} tags={tags} />
        {total > rows.length && (
          <Text size="xs" c="dimmed">
            The newest {rows.length} of {total}; choose a world to narrow them.
          </Text>
        )}
      </Stack>
      <SkipLink to={BODY_ID}>Skip the list of runs</SkipLink>
      <div className={classes.runList}>
        {shown.length > 0 ? (
          <RunTable runs={shown} selected={selected} onToggle={toggle} order={order} onOrder={setOrder} />
        ) : (
          <StateMessage
            icon={SearchX}
            title="No run matches"
            action={{ label: "Clear the filters", onClick: () => setFilter(NO_FILTER) }}
            isCompact
          />
        )}
      </div>
    </aside>
  );
}
