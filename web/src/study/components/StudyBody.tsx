import { Stack, Tabs } from "@mantine/core";
import { MousePointerClick } from "lucide-react";
import { useMemo } from "react";
import { useWorld } from "../../api/queries";
import type { RunRow } from "../../api/types";
import { StateMessage } from "../../shared/states/StateMessage";
import { ChartGroup } from "../charts/chartGroup";
import { type StudySelection, TABS, type Tab } from "../state/selection";
import { useStudyRuns } from "../state/useStudyRuns";
import type { ChangeSelection } from "../state/useStudySelection";
import { ConfigDiff } from "./config/ConfigDiff";
import { Curves } from "./curves/Curves";
import { LatestWindow } from "./LatestWindow";
import { RecordTab } from "./record/RecordTab";
import { ReplaysTab } from "./replays/ReplaysTab";
import { Toolbar } from "./toolbar/Toolbar";
import { Tracker } from "./tracker/Tracker";
import { WindowsTab } from "./windows/WindowsTab";

interface Props {
  ids: readonly string[];
  rows: readonly RunRow[];
  selection: StudySelection;
  change: ChangeSelection;
}

const TAB_LABELS: Record<Tab, string> = {
  curves: "Curves",
  windows: "Windows",
  replays: "Replays",
  config: "Configuration",
  record: "Record",
  tracker: "Tracker",
};

/** Everything about the chosen runs; parts that speak of one run speak of the focused one. */
export function StudyBody({ ids, rows, selection, change }: Props) {
  const focusId = selection.focus !== null && ids.includes(selection.focus) ? selection.focus : (ids[0] ?? null);
  const runs = useStudyRuns(ids, focusId, rows);
  const focus = runs.find((run) => run.id === focusId);
  const world = focus?.row?.world ?? focus?.windows[0]?.world;
  const descriptor = useWorld(world).data;
  const group = useMemo(() => new ChartGroup(`study-${selection.xAxis}`), [selection.xAxis]);

  if (focus === undefined) {
    return <StateMessage icon={MousePointerClick} title="Choose a run" hint="Several runs are laid over each other." />;
  }
  return (
    <Stack gap="md" miw={0}>
      <Toolbar runs={runs} focus={focus} selection={selection} change={change} group={group} />
      <LatestWindow run={focus} descriptor={descriptor} />
      <Tabs
        value={selection.tab}
        onChange={(tab) => change({ tab: (tab ?? "curves") as Tab })}
        keepMounted={false}
        aria-label="Parts of the study"
      >
        <Tabs.List mb="md">
          {TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {TAB_LABELS[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="curves">
          <Curves runs={runs} descriptor={descriptor} selection={selection} group={group} />
        </Tabs.Panel>
        <Tabs.Panel value="windows">
          <WindowsTab run={focus} descriptor={descriptor} />
        </Tabs.Panel>
        <Tabs.Panel value="replays">
          <ReplaysTab run={focus} descriptor={descriptor} />
        </Tabs.Panel>
        <Tabs.Panel value="config">
          <ConfigDiff runs={runs} />
        </Tabs.Panel>
        <Tabs.Panel value="record">
          <RecordTab run={focus} />
        </Tabs.Panel>
        <Tabs.Panel value="tracker">
          <Tracker />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
