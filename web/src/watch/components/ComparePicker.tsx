import { Button, Modal, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Columns2 } from "lucide-react";
import { useMemo, useState } from "react";
import { replaysQuery } from "../../api/queries";
import type { ReplayEntry, RunRow } from "../../api/types";
import { formatNumber } from "../../shared/format";
import { compareCandidates } from "../state/compareCandidates";
import type { ReplayRef } from "../state/deepLink";

interface Props {
  runs: readonly RunRow[];
  current: ReplayEntry | undefined;
  onPick: (ref: ReplayRef) => void;
}

/** Chooses the replay that is shown beside the present one; those of the same seed come first. */
export function ComparePicker({ runs, current, onPick }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [run, setRun] = useState<string | null>(null);
  const runId = run ?? current?.run_id ?? "";
  const list = useQuery({ ...replaysQuery(runId), enabled: isOpen && runId !== "" });
  const candidates = useMemo(() => compareCandidates(list.data?.replays ?? [], current), [list.data, current]);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Columns2 size={16} aria-hidden />}
        onClick={() => setOpen(true)}
        data-testid="compare"
      >
        Compare
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Compare with another replay" centered size="lg">
        <Stack>
          <Text size="sm" c="dimmed">
            Both replays run in lock step. A replay of the same seed starts in the same world, so every difference is
            the policy's.
          </Text>
          <Select
            label="Run"
            data={runs.filter((row) => row.replay_count > 0).map((row) => row.run_id)}
            value={runId}
            onChange={setRun}
            allowDeselect={false}
            searchable
          />
          <Stack gap={6} mah={360} style={{ overflowY: "auto" }}>
            {candidates.map(({ replay, isSameSeed }) => (
              <Button
                key={replay.replay_id}
                variant={isSameSeed ? "light" : "default"}
                justify="space-between"
                fullWidth
                style={{ flex: "none" }}
                rightSection={isSameSeed ? "same seed" : undefined}
                onClick={() => {
                  setOpen(false);
                  onPick({ run: replay.run_id, replay: replay.replay_id });
                }}
              >
                Window {replay.window_id} · return {formatNumber(replay.return_total)} · seed {replay.seed}
              </Button>
            ))}
            {list.isSuccess && candidates.length === 0 && (
              <Text size="sm" c="dimmed">
                This run has no other replay.
              </Text>
            )}
          </Stack>
        </Stack>
      </Modal>
    </>
  );
}
