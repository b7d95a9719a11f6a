import { Table } from "@mantine/core";
import { ChartNoAxesColumn } from "lucide-react";
import type { WindowRow, WorldDescriptor } from "../../../api/types";
import { formatCompact, formatMoment, formatNumber } from "../../../shared/format";
import { StateMessage } from "../../../shared/states/StateMessage";
import { metricLabel, metricText } from "../../../shared/world/metrics";
import type { StudyRun } from "../../state/useStudyRuns";

const SHOWN = 10;
/** What scrolls must be reachable by keyboard, and nothing in this table is. */
const REACHABLE = { viewportProps: { tabIndex: 0 } };

interface Column {
  label: string;
  show: (window: WindowRow) => string;
}

/** The newest windows, newest first: the numbers behind the curves. */
export function LastWindows({ run, descriptor }: { run: StudyRun; descriptor: WorldDescriptor | undefined }) {
  const shown = run.windows.slice(-SHOWN).toReversed();
  if (shown.length === 0) {
    return <StateMessage icon={ChartNoAxesColumn} title="No window has closed yet" isCompact />;
  }
  const columns = windowColumns(descriptor);
  return (
    <Table.ScrollContainer minWidth={760} scrollAreaProps={REACHABLE}>
      <Table horizontalSpacing="md" verticalSpacing={7} className="tabular" fz="sm">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.label} ta="right">
                {column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((window) => (
            <Table.Tr key={window.window_id} title={formatMoment(window.created_at)}>
              {columns.map((column) => (
                <Table.Td key={column.label} ta="right">
                  {column.show(window)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function windowColumns(descriptor: WorldDescriptor | undefined): Column[] {
  const headline = (descriptor?.headline ?? []).map((key) => ({
    label: metricLabel(descriptor, key),
    show: (window: WindowRow) => metricText(descriptor, key, window[`${key}_mean`] as number | null),
  }));
  return [
    { label: "Window", show: (window) => `${window.window_id}${window.window_complete ? "" : " (partial)"}` },
    { label: "Steps", show: (window) => formatCompact(window.env_steps_total) },
    { label: "Episodes", show: (window) => formatNumber(window.episodes_completed) },
    { label: "Return", show: (window) => formatNumber(window.return_mean) },
    { label: "Spread", show: (window) => formatNumber(window.return_std) },
    ...headline,
    { label: "Reward per step", show: (window) => formatNumber(window.reward_mean) },
    { label: "Steps per second", show: (window) => formatNumber(window.steps_per_sec) },
  ];
}
