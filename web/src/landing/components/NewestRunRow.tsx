import { Group, Skeleton, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { newestWindowsQuery, RUN_LIST_REFRESH_MS } from "../../api/queries";
import type { RunRow } from "../../api/types";
import { Sparkline } from "../../shared/charts/Sparkline";
import { formatAge, formatCompact, formatCount, formatMoment, formatNumber } from "../../shared/format";
import { StatusBadge } from "../../shared/run/StatusBadge";
import { shownStatus } from "../../shared/run/shownStatus";
import { worldTitle } from "../../shared/world/worldTitle";
import classes from "../landing.module.css";

const CURVE_WINDOWS = 60;

export function NewestRunRow({ run, now }: { run: RunRow; now: number }) {
  const status = shownStatus(run, now);
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0}>
          <Link href={`/analytics?runs=${run.run_id}`} className={classes.runLink}>
            {run.run_id}
          </Link>
          <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {[run.world === null ? null : worldTitle(run.world), run.trainer_backend].filter(Boolean).join(" · ")}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} problem={run.problem} />
      </Table.Td>
      <Table.Td ta="right" className="tabular" title={formatNumber(run.env_steps_total)}>
        {formatCompact(run.env_steps_total)}
      </Table.Td>
      <Table.Td>
        <ReturnCurve run={run} isRunning={status === "running"} />
      </Table.Td>
      <Table.Td ta="right" className="tabular">
        <ReplayLink run={run} />
      </Table.Td>
      <Table.Td ta="right" className="tabular" title={formatMoment(run.updated_at)} style={{ whiteSpace: "nowrap" }}>
        {formatAge(run.updated_at, now)}
      </Table.Td>
    </Table.Tr>
  );
}

function ReplayLink({ run }: { run: RunRow }) {
  if (run.latest_replay === null) {
    return <>{run.replay_count}</>;
  }
  return (
    <Link
      href={`/watch/${run.run_id}`}
      className={classes.runLink}
      title="Watch the best replay of this run"
      aria-label={`${formatCount(run.replay_count, "replay")} of ${run.run_id}; watch the best`}
    >
      {run.replay_count}
    </Link>
  );
}

function ReturnCurve({ run, isRunning }: { run: RunRow; isRunning: boolean }) {
  const windows = useQuery({
    ...newestWindowsQuery(run.run_id, CURVE_WINDOWS),
    enabled: run.status !== "unreadable" && (run.windows_emitted ?? 0) > 0,
    refetchInterval: isRunning ? RUN_LIST_REFRESH_MS : false,
  });
  if (windows.isPending && windows.isFetching) {
    return <Skeleton h={26} w={170} />;
  }
  const returns = (windows.data ?? []).map((window) => window.return_mean);
  const latest = returns.findLast((value) => value !== null);
  return (
    <Group gap="sm" wrap="nowrap">
      <Sparkline
        values={returns}
        label={`Return over the last ${returns.length} windows`}
        color={isRunning ? "var(--dio-lamp)" : "var(--dio-accent)"}
      />
      <Text size="sm" className="tabular">
        {formatNumber(latest)}
      </Text>
    </Group>
  );
}
