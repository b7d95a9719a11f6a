import { Button, Table, VisuallyHidden } from "@mantine/core";
import { Telescope } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { ReplayEntry, WorldDescriptor } from "../../../api/types";
import { formatMoment, formatNumber } from "../../../shared/format";
import { endText } from "../../../shared/replay/endText";
import { ReplayTags } from "../../../shared/replay/ReplayTags";
import { metricLabel, metricText } from "../../../shared/world/metrics";

const PAGE = 25;

export function ReplayTable({
  replays,
  descriptor,
}: {
  replays: readonly ReplayEntry[];
  descriptor: WorldDescriptor | undefined;
}) {
  const [shown, setShown] = useState(PAGE);
  const headline = descriptor?.headline ?? [];
  return (
    <>
      <Table.ScrollContainer minWidth={720}>
        <Table horizontalSpacing="md" verticalSpacing={7} fz="sm" className="tabular">
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">Window</Table.Th>
              <Table.Th ta="right">Return</Table.Th>
              {headline.map((key) => (
                <Table.Th key={key} ta="right">
                  {metricLabel(descriptor, key)}
                </Table.Th>
              ))}
              <Table.Th ta="right">Steps</Table.Th>
              <Table.Th>Ended</Table.Th>
              <Table.Th>Tags</Table.Th>
              <Table.Th>
                <VisuallyHidden>Watch</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {replays.slice(0, shown).map((replay) => (
              <Table.Tr key={replay.replay_id} title={`${replay.replay_id} · ${formatMoment(replay.created_at)}`}>
                <Table.Td ta="right">{replay.window_id}</Table.Td>
                <Table.Td ta="right">{formatNumber(replay.return_total)}</Table.Td>
                {headline.map((key) => (
                  <Table.Td key={key} ta="right">
                    {metricText(descriptor, key, replay.metrics[key])}
                  </Table.Td>
                ))}
                <Table.Td ta="right">{formatNumber(replay.steps)}</Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>{endText(replay)}</Table.Td>
                <Table.Td>
                  <ReplayTags tags={replay.tags} />
                </Table.Td>
                <Table.Td ta="right">
                  <Button
                    component={Link}
                    href={`/watch/${replay.run_id}/${replay.replay_id}`}
                    size="compact-xs"
                    variant="light"
                    leftSection={<Telescope size={12} aria-hidden />}
                    aria-label={`Watch the replay of window ${replay.window_id}`}
                  >
                    Watch
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {shown < replays.length && (
        <Button variant="subtle" size="xs" m="sm" onClick={() => setShown(shown + PAGE)}>
          Show more ({replays.length - shown} left)
        </Button>
      )}
    </>
  );
}
