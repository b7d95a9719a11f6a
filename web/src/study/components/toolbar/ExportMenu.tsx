import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Download, FileSpreadsheet, Image, Link2 } from "lucide-react";
import { saveText } from "../../../shared/saveFile";
import { useChartColors } from "../../../shared/useChartColors";
import type { ChartGroup } from "../../charts/chartGroup";
import { exportPng } from "../../charts/exportPng";
import { windowsToCsv } from "../../state/csv";
import type { StudyRun } from "../../state/useStudyRuns";

interface Props {
  runs: readonly StudyRun[];
  group: ChartGroup;
  hasCharts: boolean;
}

export function ExportMenu({ runs, group, hasCharts }: Props) {
  const colors = useChartColors();
  const name = runs.map((run) => run.id).join("_");
  const savePng = () =>
    exportPng(
      group.all(),
      runs.map(({ id, color }) => ({ label: id, color })),
      { background: colors.background, text: colors.ink },
      `${name}-curves.png`,
    );
  const copyLink = async () => {
    const runList = runs.map((run) => run.id).join(",");
    const link = new URL(window.location.href);
    link.searchParams.set("runs", runList);
    await navigator.clipboard.writeText(link.toString().replaceAll("%2C", ","));
    notifications.show({ message: "The link to this picture is in the clipboard." });
  };
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button size="xs" variant="default" style={{ flex: "none" }} leftSection={<Download size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<FileSpreadsheet size={15} aria-hidden />}
          onClick={() => saveText(windowsToCsv(runs.flatMap((run) => run.windows)), `${name}-windows.csv`)}
        >
          Windows as CSV
        </Menu.Item>
        <Menu.Item leftSection={<Image size={15} aria-hidden />} disabled={!hasCharts} onClick={() => void savePng()}>
          Curves as PNG
        </Menu.Item>
        <Menu.Item leftSection={<Link2 size={15} aria-hidden />} onClick={() => void copyLink()}>
          Copy link
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
