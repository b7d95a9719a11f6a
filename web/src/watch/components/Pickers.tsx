import { type ComboboxItem, type ComboboxLikeRenderOptionInput, Group, Select } from "@mantine/core";
import { Film, FolderOpen } from "lucide-react";
import { memo } from "react";
import type { ChampionRow, ReplayEntry, RunRow } from "../../api/types";
import { formatCount, formatNumber } from "../../shared/format";
import { shownTags } from "../../shared/replay/replayTags";
import { runName } from "../../shared/run/runName";
import { StatusBadge } from "../../shared/run/StatusBadge";
import classes from "./Theater.module.css";

interface Props {
  runs: readonly RunRow[];
  champions: readonly ChampionRow[];
  runId: string;
  replays: readonly ReplayEntry[];
  replayId: string;
  onRun: (run: string) => void;
  onReplay: (replay: string) => void;
}

/** Chooses a champion or a run, and one of its replays; champions, then the newest come first. */
export const Pickers = memo(function Pickers({ runs, champions, runId, replays, replayId, onRun, onReplay }: Props) {
  const runIds = runs.filter((run) => run.replay_count > 0 || run.run_id === runId).map((run) => run.run_id);
  const known = [...champions.map((row) => row.run_id), ...runIds];
  const runData = (known.includes(runId) ? known : [runId, ...known]).map((id) => ({ value: id, label: runName(id) }));
  const running = new Set(runs.filter((run) => run.status === "running").map((run) => run.run_id));
  const replayData = replays.map((replay) => ({ value: replay.replay_id, label: replayLabel(replay) }));
  const shown = replayData.find((row) => row.value === replayId);
  return (
    <>
      <Select
        aria-label="Run"
        title={runName(runId)}
        data={runData}
        value={runId}
        renderOption={({ option }: ComboboxLikeRenderOptionInput<ComboboxItem>) => (
          <Group justify="space-between" wrap="nowrap" gap="xs" flex={1} miw={0}>
            <span className={classes.option}>{option.label}</span>
            {running.has(option.value) && <StatusBadge status="running" />}
          </Group>
        )}
        onChange={(value) => value !== null && onRun(value)}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No run of this name has replays"
        leftSection={<FolderOpen size={15} aria-hidden />}
        w={{ base: "100%", sm: 260 }}
        data-testid="run-picker"
      />
      <Select
        aria-label="Replay"
        title={shown?.label ?? replayId}
        data={shown === undefined ? [{ value: replayId, label: replayId }, ...replayData] : replayData}
        value={replayId}
        onChange={(value) => value !== null && onReplay(value)}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No replay matches"
        leftSection={<Film size={15} aria-hidden />}
        w={{ base: "100%", sm: 300 }}
        style={{ flex: "1 1 300px", maxWidth: 520 }}
        maxDropdownHeight={360}
        data-testid="replay-picker"
      />
    </>
  );
});

function replayLabel(replay: ReplayEntry): string {
  const tags = shownTags(replay.tags).filter(({ kind }) => kind === "best" || kind === "operator");
  const extra = tags.map(({ label }) => ` · ${label}`).join("");
  return `Window ${replay.window_id} · return ${formatNumber(replay.return_total)} · ${formatCount(replay.steps, "step")}${extra}`;
}
