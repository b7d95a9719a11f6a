import { Anchor, Group, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { trackedRunQuery } from "../../../api/queries";
import type { JsonValue } from "../../../api/types";
import { Sparkline } from "../../../shared/charts/Sparkline";
import { formatNumber } from "../../../shared/format";
import { Panel } from "../../../shared/Panel";
import { safeHref } from "../../../shared/safeHref";
import { QueryError } from "../../../shared/states/QueryError";
import classes from "../../study.module.css";

const POSITIONS = new Set(["_step", "window_id", "env_steps_total"]);
const TREND_WIDTH = 200;
const TREND_HEIGHT = 44;

/** The figures and trends of one tracked run. */
export function TrackedRunView({ run }: { run: string }) {
  const view = useQuery(trackedRunQuery(run));
  if (view.data === undefined) {
    return view.error === null ? (
      <Skeleton h={200} radius="lg" role="status" aria-label="Loading the tracked run" />
    ) : (
      <QueryError error={view.error} what="the tracked run" onRetry={() => void view.refetch()} />
    );
  }
  const { kpis, history } = view.data;
  const page = safeHref(view.data.run.url);
  const trends = history.keys.filter((key) => !POSITIONS.has(key));
  return (
    <Panel
      title={view.data.run.name || run}
      note={`${history.count} points`}
      action={
        page !== null && (
          <Anchor href={page} target="_blank" rel="noreferrer" size="sm">
            <Group gap={4}>
              Open in Weights & Biases <ExternalLink size={13} aria-hidden />
            </Group>
          </Anchor>
        )
      }
    >
      <div className={classes.kpis}>
        {Object.entries(kpis).map(([key, value]) => (
          <div key={key} className={classes.kpi}>
            <div className="overline">{key.replaceAll("_", " ")}</div>
            <div className={classes.kpiValue}>{showKpi(value as JsonValue)}</div>
          </div>
        ))}
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} p="md">
        {trends.map((key) => (
          <Stack key={key} gap={4}>
            <Text size="xs" c="dimmed">
              {key.replaceAll("_", " ")}
            </Text>
            <Sparkline
              values={history.rows.map((row) => toNumber(row[key] as JsonValue | undefined))}
              label={`Trend of ${key}`}
              width={TREND_WIDTH}
              height={TREND_HEIGHT}
            />
          </Stack>
        ))}
      </SimpleGrid>
    </Panel>
  );
}

function showKpi(value: JsonValue): string {
  return typeof value === "number" || value === null ? formatNumber(value) : String(value);
}

function toNumber(value: JsonValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}
