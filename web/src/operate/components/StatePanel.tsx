import { Table, Text } from "@mantine/core";
import { capitalize } from "../../shared/capitalize";
import { formatNumber } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import { valueText } from "../state/eventText";
import { isObject, type Json } from "../state/json";
import type { LiveView } from "../state/LiveStore";

/** Blocks that have panels of their own. */
const SHOWN_ELSEWHERE = new Set([
  "scene",
  "map",
  "health",
  "transport",
  "stability",
  "promotion",
  "kpis",
  "console_results",
]);

/** Everything a world tells of itself, block by block, for worlds without panels of their own. */
export function StatePanel({ view }: { view: LiveView }) {
  const blocks = Object.entries(view.state).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
  if (blocks.length === 0) {
    return (
      <Panel title="State">
        <Text size="sm" c="dimmed" px="md" pb="md">
          This world tells nothing but its picture.
        </Text>
      </Panel>
    );
  }
  return blocks.map(([name, block]) => (
    <Panel key={name} title={titleOf(name)}>
      <Table fz="xs" withRowBorders={false}>
        <Table.Tbody>
          {rowsOf(block).map(([key, value]) => (
            <Table.Tr key={key}>
              <Table.Td>{key.replaceAll("_", " ")}</Table.Td>
              <Table.Td className="tabular">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  ));
}

function rowsOf(block: Json): [string, string][] {
  if (!isObject(block)) {
    return [["value", valueText(block)]];
  }
  return Object.entries(block).map(([key, value]) => [
    key,
    typeof value === "number" ? formatNumber(value) : valueText(value),
  ]);
}

function titleOf(block: string): string {
  return capitalize(block).replaceAll("_", " ");
}
