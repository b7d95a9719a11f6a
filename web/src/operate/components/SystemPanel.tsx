import { Button, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { formatCount, formatNumber } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import { QueryError } from "../../shared/states/QueryError";
import classes from "../operate.module.css";
import { isObject, listAt, numberAt, objectAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";
import { snapshotsQuery } from "../state/snapshots";
import type { Orders } from "../state/useOrders";

const STAGES: Readonly<Record<string, string>> = {
  "1": "console",
  "2": "schedule",
  "3": "policy",
  "4": "resolve",
  "5": "settle",
  "6": "tell",
  "7": "keep",
};

interface Props {
  view: LiveView;
  orders: Orders;
  canOperate: boolean;
}

/** How long a tick takes, how well messages get out, and what was saved. */
export function SystemPanel({ view, orders, canOperate }: Props) {
  const health = objectAt(view.state.health);
  const stages = objectAt(health, "stage_ms");
  const transport = objectAt(view.state.transport);
  return (
    <>
      <Panel title="Health" note={`${formatNumber(numberAt(health, "tick_ms"))} ms a tick`}>
        <Table fz="xs" withRowBorders={false}>
          <Table.Tbody>
            {Object.keys(stages).map((stage) => (
              <Table.Tr key={stage}>
                <Table.Td>
                  {stage} {STAGES[stage] ?? "stage"}
                </Table.Td>
                <Table.Td className="tabular">{formatNumber(numberAt(stages, stage))} ms</Table.Td>
              </Table.Tr>
            ))}
            {Object.keys(transport)
              .filter((name) => numberAt(transport, name) !== null)
              .map((name) => (
                <Table.Tr key={name}>
                  <Table.Td>{name.replaceAll("_", " ")}</Table.Td>
                  <Table.Td className="tabular">{formatNumber(numberAt(transport, name))}</Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
        <Text size="xs" c="dimmed" px="md" pb="md">
          {formatCount(numberAt(health, "tick_overruns") ?? 0, "tick")} took too long. Slowest:{" "}
          {listAt(health, "slowest_ticks")
            .filter(isObject)
            .slice(0, 3)
            .map((slow) => `${formatNumber(numberAt(slow, "ms"))} ms at tick ${numberAt(slow, "tick")}`)
            .join(", ") || "none yet"}
        </Text>
      </Panel>
      <Snapshots orders={orders} canOperate={canOperate} />
    </>
  );
}

function Snapshots({ orders, canOperate }: { orders: Orders; canOperate: boolean }) {
  const snapshots = useQuery(snapshotsQuery(orders.client));
  const save = async () => {
    await orders.give({ name: "snapshot_save", kwargs: {} });
    await snapshots.refetch();
  };
  return (
    <Panel
      title="Snapshots"
      action={
        <Button size="compact-xs" disabled={!canOperate} onClick={() => void save()}>
          Save now
        </Button>
      }
    >
      {snapshots.error !== null && (
        <QueryError error={snapshots.error} what="the snapshots" onRetry={() => void snapshots.refetch()} />
      )}
      {snapshots.data?.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing was saved yet.
        </Text>
      )}
      <div className={classes.list}>
        {snapshots.data?.map(({ path, tick, modified_at }) => (
          <Group key={path ?? modified_at} justify="space-between" wrap="nowrap">
            <Text size="xs">{path === null ? `tick ${tick}` : `${path} · tick ${tick}`}</Text>
            <Button
              size="compact-xs"
              variant="default"
              disabled={!canOperate || path === null}
              onClick={() => void orders.give({ name: "snapshot_load", kwargs: { path } })}
            >
              Go back to it
            </Button>
          </Group>
        ))}
      </div>
    </Panel>
  );
}
