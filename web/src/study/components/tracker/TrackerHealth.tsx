import { Alert, SimpleGrid, Stack, Text } from "@mantine/core";
import { Info } from "lucide-react";
import type { TrackerStatus } from "../../../api/types";
import { formatNumber, formatPercent } from "../../../shared/format";

const OPERATIONS = { list_runs: "Run lists", run_summary: "Summaries", run_history: "Histories" } as const;

export function TrackerHealth({ status }: { status: TrackerStatus }) {
  const facts = [
    ["Source", status.source ?? "none"],
    ["Scope", [status.defaults.entity, status.defaults.project].filter(Boolean).join(" / ") || "not set"],
    ["Offline runs", formatNumber(status.offline_runs)],
    ["Cache", status.cache.ttl_seconds > 0 ? `${status.cache.entries} kept for ${status.cache.ttl_seconds} s` : "off"],
    ["Cache hits", formatPercent(status.cache.hit_rate)],
    ...Object.entries(OPERATIONS).map(([key, label]) => {
      const figures = status.operations[key as keyof typeof OPERATIONS];
      const failures = figures.errors > 0 ? `, ${figures.errors} failed` : "";
      return [
        label,
        figures.calls === 0
          ? "none asked yet"
          : `${figures.calls} in ${formatNumber(figures.latency_ms_avg)} ms on average${failures}`,
      ];
    }),
  ];
  return (
    <Stack px="md" pb="md">
      <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} m={0}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="overline">{name}</dt>
            <Text component="dd" m={0} size="sm">
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {status.notes.map((note) => (
        <Alert key={note} variant="light" color="iris" icon={<Info size={16} aria-hidden />} p="xs">
          {note}
        </Alert>
      ))}
    </Stack>
  );
}
