import { Group, Stack, Text } from "@mantine/core";
import { Timer } from "lucide-react";
import type { WindowRow } from "../../../api/types";
import { formatDuration, formatPercent } from "../../../shared/format";
import { StateMessage } from "../../../shared/states/StateMessage";
import { useChartColors } from "../../../shared/useChartColors";
import { phaseShares } from "../../state/phaseShares";
import classes from "../../study.module.css";
import bar from "./bar.module.css";

export function PhaseShares({ windows }: { windows: readonly WindowRow[] }) {
  const colors = useChartColors();
  const shares = phaseShares(windows);
  if (shares === null) {
    return (
      <StateMessage
        icon={Timer}
        title="This run recorded no phase times"
        hint="Its windows tell steps per second, but not how the time was split between world, policy and learning."
        isCompact
      />
    );
  }
  return (
    <Stack px="md" pb="md" gap="sm">
      <div
        className={bar.bar}
        role="img"
        aria-label={shares.map((p) => `${p.label} ${formatPercent(p.share)}`).join(", ")}
      >
        {shares.map((phase, place) => (
          <span key={phase.label} style={{ width: `${phase.share * 100}%`, background: colors.series[place] }} />
        ))}
      </div>
      <Group gap="lg">
        {shares.map((phase, place) => (
          <Group key={phase.label} gap={8} wrap="nowrap" title={phase.help}>
            <span className={classes.swatch} style={{ background: colors.series[place] }} aria-hidden="true" />
            <Text size="sm">{phase.label}</Text>
            <Text size="sm" c="dimmed" className="tabular">
              {formatPercent(phase.share)} · {formatDuration(phase.seconds)}
            </Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}
