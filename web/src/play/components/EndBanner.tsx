import { Button, Group, Loader, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Bot, Brain, Plus, RotateCcw, Undo2, User } from "lucide-react";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { SessionState, WorldDescriptor } from "../../api/types";
import type { WorldScore } from "../../renderers/renderer";
import { humanize } from "../../renderers/ui/labels";
import { formatCount, formatNumber } from "../../shared/format";
import { reasonText } from "../../shared/replay/endText";
import { metricLabel, metricText } from "../../shared/world/metrics";
import classes from "./Play.module.css";

const ICONS = { human: User, bot: Bot, run: Brain } as const;

interface Props {
  state: SessionState;
  descriptor: WorldDescriptor;
  score?: WorldScore | undefined;
  policy: string | null;
  onAgain: () => void;
  onNext: () => void;
  onUndo: () => void;
}

/** How it ended, beside how others did in the same world. */
export function EndBanner({ state, descriptor, score, policy, onAgain, onNext, onUndo }: Props) {
  const reason = typeof state.info.end_reason === "string" ? state.info.end_reason : "ended";
  const isGood = !state.events.some((name) => name === "destroyed" || name === "stranded");
  const first = descriptor.headline[0];
  const result =
    first === undefined
      ? `Return ${formatNumber(state.return_total)}`
      : `${metricLabel(descriptor, first)} ${metricText(descriptor, first, state.metrics[first])}`;
  return (
    <div className={classes.banner} role="dialog" aria-label="Result" data-testid="end-banner">
      <div className={classes.bannerCard} data-good={isGood}>
        <p className="overline">{reasonText(reason)}</p>
        <h2>{result}</h2>
        <p className={classes.bannerNote}>
          {formatCount(state.steps, "decision")}, {formatCount(state.ticks, "tick")}, return{" "}
          {formatNumber(state.return_total)}
        </p>
        <Standings state={state} descriptor={descriptor} score={score} policy={policy} />
        <Group justify="center" gap="sm">
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={onNext}>
            New world
          </Button>
          <Button
            variant="default"
            leftSection={<RotateCcw size={16} aria-hidden />}
            onClick={onAgain}
            data-testid="play-again"
          >
            Same world again
          </Button>
          <Button
            variant="default"
            leftSection={<Undo2 size={16} aria-hidden />}
            onClick={onUndo}
            disabled={state.undo_available === 0}
          >
            Take back
          </Button>
        </Group>
      </div>
    </div>
  );
}

function Standings({ state, descriptor, score, policy }: Pick<Props, "state" | "descriptor" | "score" | "policy">) {
  const standings = useQuery({
    queryKey: ["standings", state.session_id, state.steps, policy],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/play/session/{session_id}/standings", {
          params: { path: { session_id: state.session_id }, query: policy === null ? {} : { policy } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (standings.isPending) {
    return (
      <p className={classes.bannerNote} role="status">
        <Loader size={12} /> The bots are playing the same world
      </p>
    );
  }
  if (standings.error !== null) {
    return <p className={classes.bannerNote}>No comparison: {standings.error.message}</p>;
  }
  const [first] = standings.data.headline;
  const rank = (metrics: Record<string, number>) =>
    score === undefined ? (metrics[first ?? ""] ?? 0) : (score.of(metrics) ?? Number.NEGATIVE_INFINITY);
  const rows = standings.data.rows.toSorted((a, b) => rank(b.metrics) - rank(a.metrics));
  return (
    <Table className={classes.standings} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Player</Table.Th>
          {score === undefined ? null : (
            <Table.Th ta="right" title={score.hint}>
              {score.label}
            </Table.Th>
          )}
          {standings.data.headline.map((key) => (
            <Table.Th key={key} ta="right">
              {metricLabel(descriptor, key)}
            </Table.Th>
          ))}
          <Table.Th ta="right">Decisions</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => {
          const Icon = ICONS[row.kind];
          return (
            <Table.Tr key={`${row.kind}-${row.name}`} data-you={row.kind === "human"}>
              <Table.Td>
                <Group gap={7} wrap="nowrap">
                  <Icon size={14} aria-hidden /> {row.kind === "human" ? "You" : humanize(row.name)}
                </Group>
              </Table.Td>
              {score === undefined ? null : <Table.Td ta="right">{formatNumber(score.of(row.metrics))}</Table.Td>}
              {standings.data.headline.map((key) => (
                <Table.Td key={key} ta="right">
                  {metricText(descriptor, key, row.metrics[key])}
                </Table.Td>
              ))}
              <Table.Td ta="right">
                {row.steps.toLocaleString("en")}
                {row.finished ? "" : "+"}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
