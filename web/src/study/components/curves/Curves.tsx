import { Button, Skeleton, Stack, Title } from "@mantine/core";
import { ChartNoAxesColumn, ChevronDown, ChevronUp } from "lucide-react";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import type { WorldDescriptor } from "../../../api/types";
import { QueryError } from "../../../shared/states/QueryError";
import { StateMessage } from "../../../shared/states/StateMessage";
import { useChartColors } from "../../../shared/useChartColors";
import type { ChartGroup as SyncGroup } from "../../charts/chartGroup";
import type { ChartLook } from "../../charts/chartOptions";
import { type ChartGroup, type ChartSpec, chartCatalog, chartsWithData } from "../../state/chartCatalog";
import type { StudySelection } from "../../state/selection";
import type { StudyRun } from "../../state/useStudyRuns";
import classes from "../../study.module.css";
import { ChartCard } from "./ChartCard";

interface Props {
  runs: readonly StudyRun[];
  descriptor: WorldDescriptor | undefined;
  selection: StudySelection;
  group: SyncGroup;
}

const GROUPS: readonly ChartGroup[] = ["Outcome", "Risk and efficiency", "Learning", "Throughput", "Other metrics"];

export function Curves({ runs, descriptor, selection: wanted, group }: Props) {
  // Many long curves take a moment: the slider moves first, they follow.
  const selection = useDeferredValue(wanted);
  const colors = useChartColors();
  const runColors = runs.map((run) => run.color).join();
  const look = useMemo<ChartLook>(
    () => ({ colors: runColors.split(","), grid: colors.grid, text: colors.text }),
    [runColors, colors],
  );
  const charts = useMemo(
    () =>
      chartsWithData(
        chartCatalog(descriptor),
        runs.map((run) => run.windows),
      ),
    [descriptor, runs],
  );
  const failed = runs.filter((run) => run.error !== null);

  if (charts.length === 0) {
    if (runs.some((run) => run.isPending)) {
      return <CurveSkeletons />;
    }
    return failed.length > 0 ? <FailedRuns runs={failed} /> : <NoWindows runs={runs} />;
  }
  return (
    <Stack gap="lg">
      <FailedRuns runs={failed} />
      {GROUPS.map((name) => (
        <CurveGroup
          key={name}
          name={name}
          charts={charts.filter((chart) => chart.group === name)}
          isCollapsible={name === "Other metrics"}
        >
          {(spec) => (
            <ChartCard key={spec.field} spec={spec} runs={runs} selection={selection} look={look} group={group} />
          )}
        </CurveGroup>
      ))}
    </Stack>
  );
}

interface GroupProps {
  name: ChartGroup;
  charts: readonly ChartSpec[];
  isCollapsible: boolean;
  children: (spec: ChartSpec) => ReactNode;
}

function CurveGroup({ name, charts, isCollapsible, children }: GroupProps) {
  const [isOpen, setOpen] = useState(!isCollapsible);
  if (charts.length === 0) {
    return null;
  }
  return (
    <Stack component="section" gap="sm" aria-label={name}>
      {isCollapsible ? (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          rightSection={isOpen ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
        >
          {name} ({charts.length})
        </Button>
      ) : (
        <Title order={2} className="overline">
          {name}
        </Title>
      )}
      {isOpen && <div className={classes.chartGrid}>{charts.map(children)}</div>}
    </Stack>
  );
}

/** One run that cannot be read does not hide the others. */
function FailedRuns({ runs }: { runs: readonly StudyRun[] }) {
  return runs.map(
    (run) =>
      run.error !== null && (
        <div key={run.id} className="case">
          <QueryError error={run.error} what={`the windows of ${run.id}`} onRetry={run.retry} />
        </div>
      ),
  );
}

function CurveSkeletons() {
  return (
    <div className={classes.chartGrid} aria-busy="true" role="status" aria-label="Loading the windows">
      {["return", "headline", "reward", "risk", "loss", "speed"].map((chart) => (
        <Skeleton key={chart} h={230} radius="lg" />
      ))}
    </div>
  );
}

function NoWindows({ runs }: { runs: readonly StudyRun[] }) {
  const isRunning = runs.some((run) => run.row?.status === "running");
  return (
    <StateMessage
      icon={ChartNoAxesColumn}
      title="No window has closed yet"
      hint={
        isRunning
          ? "The run goes on; its first point appears here by itself."
          : "The run ended before its first window was complete."
      }
      isCompact
    />
  );
}
