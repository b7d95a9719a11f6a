import { Group, Progress, Skeleton, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { runQuery } from "../../api/queries";
import type { WorldDescriptor } from "../../api/types";
import { formatCompact, formatDuration } from "../../shared/format";
import { amountText, changeText } from "../../shared/world/metrics";
import { latestKpis } from "../state/latestKpis";
import type { StudyRun } from "../state/useStudyRuns";
import classes from "../study.module.css";

/** The newest window of the focused run, compared with the one before. */
export function LatestWindow({ run, descriptor }: { run: StudyRun; descriptor: WorldDescriptor | undefined }) {
  const kpis = latestKpis(run.windows, descriptor);
  if (run.isPending) {
    return <Skeleton h={110} radius="lg" />;
  }
  if (kpis.length === 0) {
    return null;
  }
  return (
    <section className="case" style={{ overflow: "hidden" }} aria-label={`Latest window of ${run.id}`}>
      <Group justify="space-between" px="md" py={10} gap="md">
        <Text size="sm" fw={600}>
          Latest window
          <Text span c="dimmed" fw={400} size="sm">
            {` · ${run.id} · number ${run.windows.at(-1)?.window_id}`}
          </Text>
        </Text>
        <RunProgress run={run} />
      </Group>
      <div className={classes.kpis}>
        {kpis.map((kpi) => (
          <div key={kpi.label} className={classes.kpi}>
            <div className="overline">{kpi.label}</div>
            <div className={classes.kpiValue}>{amountText(kpi.value, kpi.whole)}</div>
            <Tooltip label="Against the window before">
              <Text size="xs" className={`tabular ${classes.delta}`} data-good={kpi.isBetter ?? undefined}>
                {changeText(kpi.delta, kpi.whole)}
              </Text>
            </Tooltip>
          </div>
        ))}
      </div>
    </section>
  );
}

function RunProgress({ run }: { run: StudyRun }) {
  const detail = useQuery(runQuery(run.id));
  const metadata = detail.data?.metadata;
  const newest = run.windows.at(-1);
  if (metadata === undefined || newest === undefined) {
    return null;
  }
  const done = Math.max(metadata.env_steps_total, newest.env_steps_total);
  const share = Math.min(1, done / Math.max(1, metadata.target_env_steps));
  const speed = newest.steps_per_sec ?? 0;
  const left = metadata.status === "running" && speed > 0 ? (metadata.target_env_steps - done) / speed : null;
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="xs" c="dimmed" className="tabular">
        {formatCompact(done)} of {formatCompact(metadata.target_env_steps)} steps
        {left !== null && left > 0 && ` · about ${formatDuration(left)} left`}
      </Text>
      <Progress
        w={120}
        size="sm"
        value={share * 100}
        color={metadata.status === "running" ? "lamp" : "iris"}
        aria-label="Share of the target steps"
      />
    </Group>
  );
}
