import { Anchor, Badge, Loader, Table, Text, UnstyledButton } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { formatMoment, formatNumber } from "../../shared/format";
import { runName } from "../../shared/run/runName";
import { watchAddress } from "../../watch/state/deepLink";
import classes from "../scoreboard.module.css";
import type { ScoreboardMetric, ScoreboardRow } from "../state/calls";
import { NAME, nextOrder, type RowOrder, sortRows, usualOrder } from "../state/order";

const KINDS = {
  script: { label: "script", color: "gray" },
  champion: { label: "champion", color: "lamp" },
  run: { label: "run", color: "iris" },
  person: { label: "person", color: "teal" },
} as const;

interface Props {
  metrics: readonly ScoreboardMetric[];
  rows: readonly ScoreboardRow[];
}

/** One line per player; a click on a heading sorts by it. */
export function BoardTable({ metrics, rows }: Props) {
  const [chosen, setOrder] = useState<RowOrder | null>(null);
  const order = chosen ?? usualOrder(metrics);
  const heading = (column: ScoreboardMetric | typeof NAME, label: string, unit = "") => {
    const key = column === NAME ? NAME : column.key;
    const isSorted = order.key === key;
    const Arrow = order.isDescending ? ArrowDown : ArrowUp;
    return (
      <Table.Th
        key={key}
        ta={column === NAME ? "left" : "right"}
        aria-sort={isSorted ? (order.isDescending ? "descending" : "ascending") : "none"}
      >
        <UnstyledButton className={classes.sort} onClick={() => setOrder(nextOrder(order, column))}>
          {label}
          {unit !== "" && <span className={classes.unit}>{unit}</span>}
          {isSorted && <Arrow size={13} aria-hidden />}
        </UnstyledButton>
      </Table.Th>
    );
  };
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {heading(NAME, "Player")}
            {metrics.map((metric) => heading(metric, metric.label, metric.unit))}
            <Table.Th ta="right" className={classes.heading}>
              Replay
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sortRows(rows, order).map((row) => (
            <PlayerRow key={`${row.kind} ${row.name} ${row.replay_id}`} row={row} metrics={metrics} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function PlayerRow({ row, metrics }: { row: ScoreboardRow; metrics: readonly ScoreboardMetric[] }) {
  const { label, color } = KINDS[row.kind];
  const name = row.kind === "champion" && row.run_id !== null ? runName(row.run_id) : row.name;
  const replay =
    row.replay_run_id != null && row.replay_id != null
      ? watchAddress({ run: row.replay_run_id, replay: row.replay_id }, 0)
      : null;
  return (
    <Table.Tr className={classes.row} data-kind={row.kind}>
      <Table.Td>
        <div className={classes.player}>
          <span className={classes.name}>{name}</span>
          <Badge size="xs" variant="light" color={color}>
            {label}
          </Badge>
        </div>
        {row.kind === "person" && (
          <Text size="xs" c="dimmed" title={formatMoment(row.computed_at)}>
            seed {row.seed}
          </Text>
        )}
      </Table.Td>
      {row.scores == null ? (
        <Table.Td colSpan={metrics.length} ta="right">
          <Pending row={row} />
        </Table.Td>
      ) : (
        metrics.map(({ key }) => (
          <Table.Td key={key} ta="right" className="tabular">
            <ScoreCell score={row.scores?.[key]} isSingle={row.episodes === 1} />
          </Table.Td>
        ))
      )}
      <Table.Td ta="right">
        {replay !== null && (
          <Anchor component={Link} href={replay} size="sm" aria-label={`Watch ${name}`}>
            Watch
          </Anchor>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Pending({ row }: { row: ScoreboardRow }) {
  if (row.status === "playing") {
    return (
      <Text size="sm" c="dimmed" component="span">
        <Loader size={11} mr={6} />
        plays now
      </Text>
    );
  }
  return (
    <Text size="sm" c="dimmed" component="span" title={row.problem ?? undefined}>
      {row.status === "unfit" ? "plays in another configuration" : "has not played"}
    </Text>
  );
}

interface ScoreCellProps {
  score: { value: number; low: number; high: number } | undefined;
  isSingle: boolean;
}

function ScoreCell({ score, isSingle }: ScoreCellProps) {
  if (score === undefined) {
    return null;
  }
  return (
    <>
      <span className={classes.value}>{formatNumber(score.value)}</span>
      {!isSingle && (
        <span className={classes.interval} title="95% interval">
          {formatNumber(score.low)} to {formatNumber(score.high)}
        </span>
      )}
    </>
  );
}
