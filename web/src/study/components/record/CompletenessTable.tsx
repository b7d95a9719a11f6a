import { Stack, Table, Text } from "@mantine/core";
import type { SourceRow } from "../../../api/types";
import { formatAge, formatMoment, formatNumber } from "../../../shared/format";
import { useNow } from "../../../shared/useNow";
import { SourceBadge } from "./SourceBadge";

export function CompletenessTable({ sources }: { sources: readonly SourceRow[] }) {
  const now = useNow();
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table horizontalSpacing="md" verticalSpacing="sm" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Source</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="right">Records</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th>Updated</Table.Th>
            <Table.Th>Notes</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sources.map((source) => (
            <Table.Tr key={source.key}>
              <Table.Td fw={550}>{source.label}</Table.Td>
              <Table.Td>
                <SourceBadge status={source.status} />
              </Table.Td>
              <Table.Td ta="right" className="tabular">
                {formatNumber(source.observed_count)}
              </Table.Td>
              <Table.Td className="mono">{source.lineage.path ?? source.lineage.source}</Table.Td>
              <Table.Td className="tabular" title={formatMoment(source.lineage.updated_at)}>
                {formatAge(source.lineage.updated_at, now)}
              </Table.Td>
              <Table.Td maw={320}>
                <SourceNotes source={source} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function SourceNotes({ source }: { source: SourceRow }) {
  const hasFields = source.required_fields.length - source.missing_fields.length;
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {source.status === "not_configured"
          ? "Nothing is expected from it"
          : `${hasFields} of ${source.required_fields.length} required fields`}
      </Text>
      {source.missing_fields.length > 0 && source.status !== "not_configured" && (
        <Text size="xs" className="mono">
          Missing: {source.missing_fields.join(", ")}
        </Text>
      )}
      {source.notes.map((note) => (
        <Text key={note} size="xs">
          {note}
        </Text>
      ))}
    </Stack>
  );
}
