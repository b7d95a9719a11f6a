import { Group, SegmentedControl, Slider, Stack, Switch, Text } from "@mantine/core";
import type { ChartGroup } from "../../charts/chartGroup";
import type { StudySelection } from "../../state/selection";
import type { StudyRun } from "../../state/useStudyRuns";
import type { ChangeSelection } from "../../state/useStudySelection";
import { X_AXES, X_AXIS_LABELS, type XAxis } from "../../state/xAxis";
import classes from "../../study.module.css";
import { ExportMenu } from "./ExportMenu";
import { RunChips } from "./RunChips";

interface Props {
  runs: readonly StudyRun[];
  focus: StudyRun;
  selection: StudySelection;
  change: ChangeSelection;
  group: ChartGroup;
}

const MOST_SMOOTHING = 0.98;

export function Toolbar({ runs, focus, selection, change, group }: Props) {
  return (
    <Stack className={`case ${classes.toolbar}`} gap="sm">
      <Group justify="space-between" align="flex-start">
        <RunChips runs={runs} focus={focus} change={change} />
        <ExportMenu runs={runs} group={group} hasCharts={selection.tab === "curves"} />
      </Group>
      {selection.tab === "curves" && <CurveControls selection={selection} change={change} />}
    </Stack>
  );
}

function CurveControls({ selection, change }: Pick<Props, "selection" | "change">) {
  return (
    <Group gap="lg">
      <SegmentedControl
        size="xs"
        aria-label="Horizontal axis"
        data={X_AXES.map((axis) => ({ value: axis, label: X_AXIS_LABELS[axis] }))}
        value={selection.xAxis}
        onChange={(axis) => change({ xAxis: axis as XAxis })}
      />
      <Group gap="sm" wrap="nowrap">
        <Text size="xs" c="dimmed" id="smoothing-label">
          Smoothing
        </Text>
        <Slider
          w={150}
          size="sm"
          min={0}
          max={MOST_SMOOTHING}
          step={0.02}
          value={selection.smoothing}
          onChange={(smoothing) => change({ smoothing: Math.round(smoothing * 100) / 100 })}
          label={(value) => value.toFixed(2)}
          thumbProps={{ "aria-labelledby": "smoothing-label" }}
        />
      </Group>
      <Switch
        size="xs"
        label="95% bands"
        checked={selection.hasBands}
        onChange={(event) => change({ hasBands: event.currentTarget.checked })}
      />
    </Group>
  );
}
