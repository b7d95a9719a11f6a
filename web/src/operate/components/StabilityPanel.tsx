import { Badge, Table, Text } from "@mantine/core";
import { formatNumber } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import { numberAt, objectAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";

/** What the stability monitor watches, and what it is alarmed about. */
export function StabilityPanel({ view }: { view: LiveView }) {
  const alerts = objectAt(view.state.stability, "alerts");
  const metrics = objectAt(view.state.stability, "metrics");
  const names = Object.keys(metrics);
  const raised = Object.keys(alerts).length;
  return (
    <Panel title="Stability" note={raised === 0 ? "nothing to worry about" : `${raised} raised`}>
      {names.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing is watched in this world.
        </Text>
      ) : (
        <Table fz="xs" withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Alert</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Measured</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {names.map((name) => {
              const isRaised = name in alerts;
              return (
                <Table.Tr key={name}>
                  <Table.Td>{name.replaceAll("_", " ")}</Table.Td>
                  <Table.Td>
                    <Badge size="xs" variant="light" color={isRaised ? "red" : "teal"} miw="max-content">
                      {isRaised
                        ? `${formatNumber(numberAt(alerts, name, "value"))} > ${formatNumber(numberAt(alerts, name, "threshold"))}`
                        : "quiet"}
                    </Badge>
                  </Table.Td>
                  <Table.Td className="tabular">
                    {Object.keys(objectAt(metrics, name))
                      .map((key) => `${key.replaceAll("_", " ")} ${formatNumber(numberAt(metrics, name, key))}`)
                      .join(" · ")}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}
