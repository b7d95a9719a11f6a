import { Button, Group, Select, Text } from "@mantine/core";
import { useState } from "react";
import { formatNumber } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import { valueText } from "../state/eventText";
import { isObject, listAt, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";
import type { Orders } from "../state/useOrders";

interface Props {
  view: LiveView;
  orders: Orders;
  canOperate: boolean;
}

/** What disturbs the town, what will, and buttons to disturb it. */
export function Perturbations({ view, orders, canOperate }: Props) {
  const block = objectAt(view.state.perturbations);
  const active = Object.entries(objectAt(block, "active"));
  const pending = listAt(block, "pending").filter(isObject);
  const cooldowns = objectAt(block, "cooldowns", "specs");
  const specs = listAt(block, "specs").filter((name) => typeof name === "string");
  const [spec, setSpec] = useState<string | null>(null);
  return (
    <Panel title="Perturbations" note={`unevenness (Gini) ${formatNumber(numberAt(block, "fairness_gini"))}`}>
      {active.length + pending.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="xs">
          Nothing disturbs the town.
        </Text>
      )}
      {active.map(([id, event]) => (
        <Group key={id} gap="xs" px="md" pb="xs">
          <Text size="sm">
            {textAt(event, "spec")?.replaceAll("_", " ") ?? id} until {untilText(numberAt(event, "ends_at"))}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            disabled={!canOperate}
            onClick={() => void orders.give({ name: "perturbation_cancel", kwargs: { event_id: id } })}
          >
            Cancel
          </Button>
        </Group>
      ))}
      {pending.map((event) => (
        <Text key={textAt(event, "event_id")} size="sm" px="md">
          {textAt(event, "spec")?.replaceAll("_", " ")} from tick {numberAt(event, "started_at")}
        </Text>
      ))}
      {Object.keys(cooldowns).length > 0 && (
        <Text size="xs" c="dimmed" px="md">
          Not again before tick: {valueText(cooldowns)}
        </Text>
      )}
      <Group gap="xs" px="md" py="sm">
        <Select
          size="xs"
          aria-label="What to trigger"
          placeholder="Choose what happens"
          data={specs as string[]}
          value={spec}
          onChange={setSpec}
        />
        <Button
          size="xs"
          disabled={!canOperate || spec === null}
          onClick={() => void orders.give({ name: "perturbation_trigger", kwargs: { spec: spec ?? "" } })}
        >
          Trigger
        </Button>
      </Group>
    </Panel>
  );
}

function untilText(tick: number | null): string {
  return tick === null ? "it is cancelled" : `tick ${tick}`;
}

/** Who came and who went. */
export function Lifecycle({ view }: { view: LiveView }) {
  const block = objectAt(view.state.lifecycle);
  const arrivals = listAt(block, "pending_spawns").filter(isObject);
  const exits = listAt(block, "exits").filter(isObject);
  return (
    <Panel
      title="Coming and going"
      note={`${numberAt(block, "exits_today") ?? 0} of ${numberAt(block, "max_exits_per_day") ?? 0} exits today`}
    >
      <ol className={classes.feed} aria-label="Arrivals and exits">
        {arrivals.map((ticket) => (
          <li key={`a${numberAt(ticket, "due_tick")}`}>
            Somebody comes at tick {numberAt(ticket, "due_tick")} for {textAt(ticket, "replaces")}.
          </li>
        ))}
        {exits.toReversed().map((gone) => (
          <li key={textAt(gone, "agent_id")}>
            <span className="tabular">{numberAt(gone, "tick")}</span> {textAt(gone, "name")} left (
            {textAt(gone, "reason")?.replaceAll("_", " ")}) after {formatNumber(numberAt(gone, "lived_days"))} days.
          </li>
        ))}
        {arrivals.length + exits.length === 0 && <li>Nobody has left yet.</li>}
      </ol>
    </Panel>
  );
}
