import { Button, Group, Table, Text } from "@mantine/core";
import { priceName } from "../../renderers/townlet/words";
import { capitalize } from "../../shared/capitalize";
import { formatCount, formatNumber, formatPercent } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";
import type { Orders } from "../state/useOrders";

interface Props {
  view: LiveView;
  orders: Orders;
  canOperate: boolean;
}

/** Jobs, who is there, and who may be let go. */
export function Employment({ view, orders, canOperate }: Props) {
  const employment = objectAt(view.state.employment);
  const pending = listAt(employment, "pending").filter(isObject);
  const jobs = attendanceByJob(objectAt(view.state.agents));
  const decide = (action: string, id: string | null) =>
    void orders.give({ name: "employment_exit", kwargs: { action, agent_id: id ?? "" } });
  return (
    <Panel
      title="Employment"
      note={`${numberAt(employment, "exits_today") ?? 0} of ${numberAt(employment, "daily_exit_cap") ?? 0} exits today`}
    >
      <Table fz="xs" withRowBorders={false}>
        <Table.Tbody>
          {jobs.map(({ job, people, attendance }) => (
            <Table.Tr key={job}>
              <Table.Td>{capitalize(job.replaceAll("_", " "))}</Table.Td>
              <Table.Td className="tabular">{formatCount(people, "citizen")}</Table.Td>
              <Table.Td className="tabular">
                {attendance === null ? "no shift yet" : `attendance ${formatPercent(attendance)}`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {pending.length === 0 ? (
        <Text size="xs" c="dimmed" px="md" pb="md">
          Nobody is about to be let go.
        </Text>
      ) : (
        pending.map((entry) => (
          <Group key={textAt(entry, "agent_id")} gap="xs" px="md" pb="xs">
            <Text size="sm">
              {textAt(entry, "agent_id")} since tick {numberAt(entry, "since_tick")}
            </Text>
            <Button
              size="compact-xs"
              color="red"
              variant="light"
              disabled={!canOperate}
              onClick={() => decide("approve", textAt(entry, "agent_id"))}
            >
              Let go
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              disabled={!canOperate}
              onClick={() => decide("defer", textAt(entry, "agent_id"))}
            >
              Defer
            </Button>
          </Group>
        ))
      )}
    </Panel>
  );
}

function attendanceByJob(agents: JsonObject): { job: string; people: number; attendance: number | null }[] {
  const found = new Map<string, (number | null)[]>();
  for (const agent of Object.values(agents)) {
    const job = textAt(agent, "job", "job_id");
    if (job !== null) {
      found.set(job, [...(found.get(job) ?? []), numberAt(agent, "job", "attendance_ratio")]);
    }
  }
  return [...found]
    .map(([job, ratios]) => ({
      job,
      people: ratios.length,
      attendance: meanOf(ratios.filter((ratio) => ratio !== null)),
    }))
    .toSorted((a, b) => a.job.localeCompare(b.job));
}

/** Prices against what they usually are, utilities, and what is left in store. */
export function Economy({ view, orders, canOperate }: Props) {
  const economy = objectAt(view.state.economy);
  const prices = objectAt(economy, "prices");
  const spikes = Object.values(objectAt(economy, "spikes")).filter(isObject);
  const utilities = objectAt(view.state.utilities);
  const stocks = Object.entries(objectAt(view.state.objects)).filter(
    ([, object]) => Object.keys(objectAt(object, "stock")).length > 0,
  );
  return (
    <Panel title="Economy" note={`basket ${formatNumber(numberAt(economy, "basket"))} coins`}>
      <Table fz="xs" withRowBorders={false}>
        <Table.Tbody>
          {Object.keys(prices).map((key) => {
            const [price, usual] = [numberAt(prices, key) ?? 0, numberAt(economy, "baselines", key) ?? 0];
            return (
              <Table.Tr key={key}>
                <Table.Td title={key}>{priceName(key)}</Table.Td>
                <Table.Td className="tabular">{formatNumber(price)} coins</Table.Td>
                <Table.Td className={classes.fine}>
                  {price === usual ? "as usual" : `usually ${formatNumber(usual)} coins`}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {spikes.map((spike) => (
        <Text key={String(spike.ends_at)} size="xs" px="md">
          {listAt(spike, "prices")
            .map((key) => priceName(String(key)))
            .join(", ")}{" "}
          ×{formatNumber(numberAt(spike, "magnitude"))} for{" "}
          {formatCount(Math.max(0, (numberAt(spike, "ends_at") ?? 0) - view.tick), "more tick")}
        </Text>
      ))}
      <Group gap="xs" px="md" py="xs">
        {Object.entries(utilities).map(([name, isOn]) => (
          <Button
            key={name}
            size="compact-xs"
            variant={isOn === true ? "light" : "filled"}
            color={isOn === true ? "teal" : "red"}
            disabled={!canOperate}
            onClick={() =>
              void orders.give({ name: "utility", kwargs: { utility: name, state: isOn === true ? "off" : "on" } })
            }
          >
            {name} {isOn === true ? "on" : "off"}
          </Button>
        ))}
      </Group>
      <Text size="xs" c="dimmed" px="md" pb="md">
        {stocks
          .map(
            ([id, object]) =>
              `${id}: ${Object.entries(objectAt(object, "stock"))
                .map((pair) => pair.join(" "))
                .join(", ")}`,
          )
          .join(" · ") || "Nothing is kept in store."}
      </Text>
    </Panel>
  );
}

/** Returns the mean; null of nothing. */
function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
