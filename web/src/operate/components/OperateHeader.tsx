import { Badge, Group, SegmentedControl, Title } from "@mantine/core";
import { EyeOff, TriangleAlert } from "lucide-react";
import { worldTitle } from "../../shared/world/worldTitle";
import { clockText } from "../state/clock";
import { flagAt, type Json, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";
import { sceneOf } from "../state/scene";
import type { Orders } from "../state/useOrders";
import type { Connection, Telemetry } from "../state/useTelemetry";
import { TokenButton } from "./TokenButton";

const SPEEDS = ["pause", "1x", "10x", "100x", "max"];
const CONNECTION_WORDS: Readonly<Record<Connection, { text: string; color: string }>> = {
  connecting: { text: "connecting", color: "yellow" },
  open: { text: "live", color: "teal" },
  lost: { text: "connection lost", color: "red" },
  refused: { text: "refused", color: "red" },
};

interface Props {
  telemetry: Telemetry;
  view: LiveView;
  orders: Orders;
  token: string | null;
  onToken: (token: string | null) => void;
}

function ticksPerDayIn(scene: Json | undefined): number | null {
  const found = sceneOf(scene)?.ticks_per_day;
  return typeof found === "number" ? found : null;
}

/** Which world it is, when it is there, how fast it runs and how well it is heard. */
export function OperateHeader({ telemetry, view, orders, token, onToken }: Props) {
  const { text, color } = CONNECTION_WORDS[telemetry.connection];
  const dropped = numberAt(view.state.transport, "dropped") ?? 0;
  const alerts = Object.keys(objectAt(view.state.stability, "alerts")).length;
  const ticksPerDay = numberAt(view.state.map, "ticks_per_day") ?? ticksPerDayIn(view.state.scene);
  const speed = textAt(view.state.health, "speed");
  return (
    <Group gap="sm" mb="sm" data-testid="operate-header">
      <Title order={2} size="h3">
        {worldTitle(view.world)}
      </Title>
      <span className="tabular" data-testid="moment">
        {ticksPerDay === null
          ? `tick ${view.tick}`
          : `Day ${view.day + 1}, ${clockText(view.tod, ticksPerDay)} · tick ${view.tick}`}
      </span>
      <SegmentedControl
        size="xs"
        aria-label="Speed"
        data={SPEEDS}
        value={speed ?? ""}
        disabled={token === null}
        title={token === null ? "Whoever operates with a token can change the speed" : undefined}
        onChange={(chosen) => void orders.give({ name: "speed", kwargs: { speed: chosen } }, true)}
      />
      <Badge color={color} variant="light" data-testid="connection">
        {text}
      </Badge>
      {alerts > 0 && (
        <Badge color="red" variant="light" leftSection={<TriangleAlert size={12} aria-hidden />}>
          {alerts === 1 ? "1 alert" : `${alerts} alerts`}
        </Badge>
      )}
      {dropped > 0 && (
        <Badge color="yellow" variant="light">
          {dropped} dropped
        </Badge>
      )}
      {flagAt(view.state.transport, "privacy") && (
        <Badge color="grape" variant="light" leftSection={<EyeOff size={12} aria-hidden />}>
          private
        </Badge>
      )}
      <Badge color="gray" variant="outline" title={view.configId}>
        {telemetry.isNewerMinor ? `schema ${view.schemaVersion}, newer than this page` : `schema ${view.schemaVersion}`}
      </Badge>
      <TokenButton token={token} onToken={onToken} />
    </Group>
  );
}
