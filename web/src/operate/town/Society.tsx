import { Table, Text } from "@mantine/core";
import { formatCount, formatNumber } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import { eventText } from "../state/eventText";
import { isObject, type Json, listAt, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";
import { namesIn } from "../state/names";

const SOCIAL = new Set(["chat_success", "chat_failure", "shared_meal", "queue_conflict", "queue_interaction"]);
const SHOWN = 12;

/** Who holds what, who waits for it, and who gets in each other's way. */
export function Queues({ view }: { view: LiveView }) {
  const nameOf = namesIn(view);
  const metrics = objectAt(view.state.conflict, "queues");
  const history = listAt(view.state.conflict, "queue_history").filter(isObject);
  const busy = Object.entries(objectAt(view.state.objects)).filter(
    ([, object]) => textAt(object, "holder") !== null || listAt(object, "queue").length > 0,
  );
  return (
    <Panel
      title="Queues"
      note={`${formatCount(numberAt(metrics, "ghost_step_events") ?? 0, "ghost step")}, ${formatCount(numberAt(metrics, "rotation_events") ?? 0, "rotation")}`}
    >
      {busy.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing is in use.
        </Text>
      ) : (
        <Table fz="xs" withRowBorders={false}>
          <Table.Tbody>
            {busy.map(([id, object]) => (
              <Table.Tr key={id}>
                <Table.Td>{id}</Table.Td>
                <Table.Td>{nameOf(textAt(object, "holder") ?? "free")}</Table.Td>
                <Table.Td>{queueText(listAt(object, "queue"), nameOf)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {history.length > 0 && (
        <Text size="xs" c="dimmed" px="md" pb="md">
          Last windows:{" "}
          {history
            .slice(-5)
            .map(
              (window) =>
                `${formatCount(numberAt(window, "conflicts") ?? 0, "conflict")} from tick ${numberAt(window, "start_tick")}`,
            )
            .join(" · ")}
        </Text>
      )}
    </Panel>
  );
}

function queueText(queue: readonly Json[], nameOf: (id: string) => string): string {
  const names = queue.map((entry) => nameOf(typeof entry === "string" ? entry : (textAt(entry, "agent_id") ?? "?")));
  return names.length === 0 ? "nobody waits" : `waiting: ${names.join(", ")}`;
}

/** Ties, how they changed, and what people do with each other. */
export function Relationships({ view }: { view: LiveView }) {
  const ties = Object.entries(objectAt(view.state.relationships, "ties")).flatMap(([owner, others]) =>
    Object.entries(objectAt(others)).map(([other, tie]) => ({ owner, other, tie: objectAt(tie) })),
  );
  const updates = listAt(view.state.relationships, "updates").filter(isObject);
  const rivalries = listAt(view.state.conflict, "rivalry").filter(isObject);
  const social = view.events.filter(({ event }) => SOCIAL.has(event)).slice(-SHOWN);
  const nameOf = namesIn(view);
  const strongest = ties
    .toSorted((a, b) => (numberAt(b.tie, "trust") ?? 0) - (numberAt(a.tie, "trust") ?? 0))
    .slice(0, SHOWN);
  return (
    <Panel title="Relationships" note={formatCount(ties.length, "tie")}>
      {ties.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nobody knows anybody yet.
        </Text>
      ) : (
        <Table fz="xs" withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Whose</Table.Th>
              <Table.Th>Trust</Table.Th>
              <Table.Th>Familiarity</Table.Th>
              <Table.Th>Rivalry</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {strongest.map(({ owner, other, tie }) => (
              <Table.Tr key={`${owner}-${other}`}>
                <Table.Td>
                  {nameOf(owner)} → {nameOf(other)}
                </Table.Td>
                <Table.Td className="tabular">{formatNumber(numberAt(tie, "trust"))}</Table.Td>
                <Table.Td className="tabular">{formatNumber(numberAt(tie, "familiarity"))}</Table.Td>
                <Table.Td className="tabular">{formatNumber(numberAt(tie, "rivalry"))}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {rivalries.length > 0 && (
        <Text size="xs" px="md">
          Rivals:{" "}
          {rivalries
            .map(
              (edge) =>
                `${nameOf(textAt(edge, "from") ?? "?")} and ${nameOf(textAt(edge, "to") ?? "?")} ${formatNumber(numberAt(edge, "rivalry"))}`,
            )
            .join(" · ")}
        </Text>
      )}
      <ol className={classes.feed} aria-label="Changes of ties and meetings">
        {updates.slice(-SHOWN).map((update, index) => (
          <li key={`u${index}`}>
            <span className="tabular">{numberAt(update, "tick")}</span> {nameOf(textAt(update, "owner") ?? "?")} →{" "}
            {nameOf(textAt(update, "other") ?? "?")}: trust {signed(numberAt(update, "trust"))}, rivalry{" "}
            {signed(numberAt(update, "rivalry"))}
          </li>
        ))}
        {social.map((event, index) => (
          <li key={`e${index}`}>
            <span className="tabular">{event.tick}</span> {eventText(event, nameOf)}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function signed(value: number | null): string {
  return value === null ? "–" : `${value > 0 ? "+" : ""}${formatNumber(value)}`;
}
