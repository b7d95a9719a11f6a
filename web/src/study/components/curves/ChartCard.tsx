import { ActionIcon, Group, Menu, Modal, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { EllipsisVertical, Image, Info, Maximize2 } from "lucide-react";
import { memo, useMemo } from "react";
import { useChartColors } from "../../../shared/useChartColors";
import { amountText } from "../../../shared/world/metrics";
import type { ChartGroup } from "../../charts/chartGroup";
import type { ChartLook } from "../../charts/chartOptions";
import { exportPng } from "../../charts/exportPng";
import type { ChartSpec } from "../../state/chartCatalog";
import type { StudySelection } from "../../state/selection";
import { buildSeries } from "../../state/series";
import { thin } from "../../state/thin";
import type { StudyRun } from "../../state/useStudyRuns";
import classes from "../../study.module.css";
import { ChartWithReadout } from "./ChartWithReadout";

interface Props {
  spec: ChartSpec;
  runs: readonly StudyRun[];
  selection: StudySelection;
  look: ChartLook;
  group: ChartGroup;
}

const CARD_HEIGHT = 168;
const LARGE_HEIGHT = 440;

export const ChartCard = memo(function ChartCard({ spec, runs, selection, look, group }: Props) {
  const colors = useChartColors();
  const [isLarge, large] = useDisclosure(false);
  const { xAxis, smoothing, hasBands } = selection;
  const lines = useMemo(
    () => runs.map((run) => thin(buildSeries(run.windows, spec, { xAxis, smoothing, hasBands }))),
    [runs, spec, xAxis, smoothing, hasBands],
  );
  const names = runs.map((run) => run.id);
  const savePng = () => {
    const chart = group.get(spec.field);
    if (chart !== undefined) {
      const legend = runs.map(({ id, color }) => ({ label: id, color }));
      void exportPng([chart], legend, { background: colors.background, text: colors.ink }, `${spec.field}.png`);
    }
  };
  const chart = (id: string, height: number) => (
    <ChartWithReadout
      id={id}
      title={spec.title}
      label={describe(spec, runs, lines)}
      names={names}
      lines={lines}
      xAxis={xAxis}
      whole={spec.whole}
      look={look}
      group={group}
      height={height}
    />
  );
  return (
    <article className={`case ${classes.chart}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Group gap={6} wrap="nowrap" miw={0}>
          <Text component="h3" size="sm" fw={600} truncate>
            {spec.title}
          </Text>
          {spec.unit !== "" && (
            <Text size="xs" c="dimmed">
              {spec.unit}
            </Text>
          )}
          <Tooltip label={spec.help} multiline maw={260}>
            <Info size={13} aria-label={spec.help} color="var(--dio-dim)" style={{ flex: "none" }} />
          </Tooltip>
        </Group>
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`More about ${spec.title}`}>
              <EllipsisVertical size={15} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label maw={260}>{spec.help}</Menu.Label>
            <Menu.Item leftSection={<Maximize2 size={14} aria-hidden />} onClick={large.open}>
              Show large
            </Menu.Item>
            <Menu.Item leftSection={<Image size={14} aria-hidden />} onClick={savePng}>
              Save as PNG
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {chart(spec.field, CARD_HEIGHT)}
      <Modal opened={isLarge} onClose={large.close} title={spec.title} size="80rem" centered>
        {isLarge && chart(`${spec.field}-large`, LARGE_HEIGHT)}
      </Modal>
    </article>
  );
});

/** What the picture shows, in words, for those who cannot see it. */
function describe(
  spec: ChartSpec,
  runs: readonly StudyRun[],
  lines: readonly { y: readonly (number | null)[] }[],
): string {
  const parts = runs.map((run, place) => {
    const values = (lines[place]?.y ?? []).filter((value) => value !== null);
    return values.length === 0
      ? `${run.id} has no values`
      : `${run.id} goes from ${amountText(values[0], spec.whole)} to ${amountText(values.at(-1), spec.whole)} in ${values.length} points`;
  });
  return `${spec.title}: ${parts.join("; ")}`;
}
