import { Group, Table, Text } from "@mantine/core";
import { Star } from "lucide-react";
import type { RunRow } from "../../../api/types";
import { formatAge, formatCompact, formatCount, formatMoment } from "../../../shared/format";
import { StatusBadge } from "../../../shared/run/StatusBadge";
import { shownStatus } from "../../../shared/run/shownStatus";
import { worldTitle } from "../../../shared/world/worldTitle";
import classes from "./runs.module.css";

interface Props {
  run: RunRow;
  /** Color of its curves; null while it is not chosen. */
  color: string | null;
  onToggle: (run: string) => void;
  now: number;
}

export function RunTableRow({ run, color, onToggle, now }: Props) {
  const milestones = run.tags.filter((tag) => tag.startsWith("milestone:")).length;
  const isReadable = run.status !== "unreadable";
  return (
    <Table.Tr className={classes.row} data-chosen={color !== null}>
      <Table.Td>
        <input
          type="checkbox"
          className={classes.check}
          aria-label={`Show ${run.run_id}`}
          checked={color !== null}
          disabled={!isReadable}
          onChange={() => onToggle(run.run_id)}
          style={color === null ? undefined : { accentColor: color }}
        />
      </Table.Td>
      <Table.Td className={classes.name} onClick={isReadable ? () => onToggle(run.run_id) : undefined}>
        <Text size="sm" fw={550} lh={1.3} lineClamp={2} className={classes.runId} title={run.run_id}>
          {run.run_id}
        </Text>
        <Group gap="2px 6px">
          <StatusBadge status={shownStatus(run, now)} problem={run.problem} />
          <Text size="xs" c="dimmed">
            {run.world === null ? "" : worldTitle(run.world)}
          </Text>
          {milestones > 0 && (
            <Group gap={2} wrap="nowrap" title={`${formatCount(milestones, "milestone")} reached`}>
              <Star size={11} aria-hidden className={classes.star} />
              <Text size="xs" c="dimmed">
                {milestones}
              </Text>
            </Group>
          )}
        </Group>
      </Table.Td>
      <Table.Td ta="right" className="tabular" fz="xs">
        {formatCompact(run.env_steps_total)}
      </Table.Td>
      <Table.Td ta="right" className={classes.age} title={formatMoment(run.updated_at)}>
        {formatAge(run.updated_at, now)}
      </Table.Td>
    </Table.Tr>
  );
}
