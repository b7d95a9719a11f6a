import { Group, Stack, Text } from "@mantine/core";
import { CircleDashed } from "lucide-react";
import type { WindowRow } from "../../../api/types";
import { formatNumber, formatPercent } from "../../../shared/format";
import { reasonText } from "../../../shared/replay/endText";
import { StateMessage } from "../../../shared/states/StateMessage";
import { useChartColors } from "../../../shared/useChartColors";
import { endReasonShares } from "../../state/endReasons";
import classes from "../../study.module.css";
import bar from "./bar.module.css";

export function EndReasons({ windows }: { windows: readonly WindowRow[] }) {
  const colors = useChartColors();
  const reasons = endReasonShares(windows);
  if (reasons.length === 0) {
    return <StateMessage icon={CircleDashed} title="No episode has ended yet" isCompact />;
  }
  return (
    <Stack px="md" pb="md" gap="sm">
      <div className={bar.bar} aria-hidden="true">
        {reasons.map(({ reason, share }, place) => (
          <span
            key={reason}
            style={{ width: `${share * 100}%`, background: colors.series[place % colors.series.length] }}
          />
        ))}
      </div>
      <Group gap="lg">
        {reasons.map(({ reason, count, share }, place) => (
          <Group key={reason} gap={8} wrap="nowrap">
            <span
              className={classes.swatch}
              style={{ background: colors.series[place % colors.series.length] }}
              aria-hidden="true"
            />
            <Text size="sm">{reasonText(reason)}</Text>
            <Text size="sm" c="dimmed" className="tabular">
              {formatNumber(count)} · {formatPercent(share)}
            </Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}
