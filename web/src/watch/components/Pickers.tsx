import { Select } from "@mantine/core";
import { Film, FolderOpen } from "lucide-react";
import { memo } from "react";
import type { ReplayEntry, RunRow } from "../../api/types";
import { formatCount, formatNumber } from "../../shared/format";
import { shownTags } from "../../shared/replay/replayTags";

interface Props {
  runs: readonly RunRow[];
  runId: string;
  replays: readonly ReplayEntry[];
  replayId: string;
  onRun: (run: string) => void;
  onReplay: (replay: string) => void;
}

/** Chooses a run and one of its replays; the newest come first. */
export const Pickers = memo(function Pickers({ runs, runId, replays, replayId, onRun, onReplay }: Props) {
  const runData = runs
    .filter((run) => run.replay_count > 0 || run.run_id === runId)
    .map((run) => ({ value: run.run_id, label: run.status === "running" ? `${run.run_id} (training)` : run.run_id }));
  const isListed = runData.some((run) => run.value === runId);
  const replayData = replays.map((replay) => ({ value: replay.replay_id, label: replayLabel(replay) }));
  return (
    <>
      <Select
        aria-label="Run"
        data={isListed ? runData : [{ value: runId, label: runId }, ...runData]}
        value={runId}
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
        data={
          replayData.some((row) => row.value === replayId)
            ? replayData
            : [{ value: replayId, label: replayId }, ...replayData]
        }
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
