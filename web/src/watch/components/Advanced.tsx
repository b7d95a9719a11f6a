import {
  Anchor,
  Button,
  Drawer,
  Group,
  JsonInput,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Stack,
  Text,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { apiUrl } from "../../api/base";
import { runQuery } from "../../api/queries";
import type { Frame, ReplayEntry } from "../../api/types";
import type { Curve } from "../state/curves";
import { FPS_RANGE, type PlaybackControls, STRIDE_RANGE } from "../state/usePlayback";
import type { Transport } from "../transport/frames";

export interface AdvancedSettings {
  transport: Transport;
  tags: string[];
  windowId: number | null;
  curve: string;
}

interface Props {
  isOpen: boolean;
  onClose: () => void;
  runId: string;
  settings: AdvancedSettings;
  onSettings: (settings: AdvancedSettings) => void;
  replays: readonly ReplayEntry[];
  curves: readonly Curve[];
  playback: PlaybackControls;
  frames: number;
  frame: Frame | undefined;
}

/** Filters, transport, exact playback, links and the raw frame. */
export function Advanced({ isOpen, onClose, ...rest }: Props) {
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Advanced" position="right" size="md">
      {isOpen && <Settings {...rest} />}
    </Drawer>
  );
}

function Settings({
  runId,
  settings,
  onSettings,
  replays,
  curves,
  playback,
  frames,
  frame,
}: Omit<Props, "isOpen" | "onClose">) {
  const tags = [...new Set(replays.flatMap((replay) => replay.tags))].sort();
  const windows = [...new Set(replays.map((replay) => replay.window_id))];
  const set = (changes: Partial<AdvancedSettings>) => onSettings({ ...settings, ...changes });
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Text component="h3" m={0} className="overline">
          Replay list
        </Text>
        <MultiSelect
          label="Tags"
          placeholder={settings.tags.length === 0 ? "All replays" : undefined}
          data={tags}
          value={settings.tags}
          onChange={(chosen) => set({ tags: chosen })}
          clearable
        />
        <Select
          label="Window"
          placeholder="All windows"
          data={windows.map((id) => ({ value: `${id}`, label: `Window ${id}` }))}
          value={settings.windowId === null ? null : `${settings.windowId}`}
          onChange={(value) => set({ windowId: value === null ? null : Number(value) })}
          clearable
          searchable
        />
      </Stack>
      <Stack gap="xs">
        <Text component="h3" m={0} className="overline">
          Playback
        </Text>
        <Text size="sm">Speed: {playback.fps} steps/s</Text>
        <Slider
          thumbLabel="Steps per second"
          min={FPS_RANGE.least}
          max={FPS_RANGE.most}
          value={playback.fps}
          onChange={(fps) => playback.dispatch({ type: "set", fps })}
        />
        <Text size="sm">Stride: every {playback.stride === 1 ? "frame" : `${playback.stride} frames`}</Text>
        <Slider
          thumbLabel="Stride"
          min={STRIDE_RANGE.least}
          max={STRIDE_RANGE.most}
          value={playback.stride}
          onChange={(stride) => playback.dispatch({ type: "set", stride })}
        />
        <NumberInput
          label="Jump to frame"
          min={0}
          max={Math.max(0, frames - 1)}
          value={playback.index}
          allowDecimal={false}
          onChange={(value) => typeof value === "number" && playback.dispatch({ type: "seek", index: value })}
        />
        <Select
          label="Curve of the timeline"
          data={curves.map(({ key, label }) => ({ value: key, label }))}
          value={settings.curve}
          allowDeselect={false}
          onChange={(value) => value !== null && set({ curve: value })}
        />
      </Stack>
      <Stack gap="xs">
        <Text component="h3" m={0} className="overline">
          Transport
        </Text>
        <SegmentedControl
          aria-label="Transport"
          data={[
            { value: "http", label: "HTTP" },
            { value: "websocket", label: "WebSocket" },
          ]}
          value={settings.transport}
          onChange={(value) => set({ transport: value === "websocket" ? "websocket" : "http" })}
        />
      </Stack>
      <TrackerLinks runId={runId} />
      <JsonInput
        label="Raw frame"
        value={frame === undefined ? "" : rawFrame(frame)}
        readOnly
        autosize
        minRows={6}
        maxRows={20}
      />
    </Stack>
  );
}

function TrackerLinks({ runId }: { runId: string }) {
  const run = useQuery(runQuery(runId));
  const links = [
    { label: "Weights & Biases", href: run.data?.metadata.wandb_run_url },
    { label: "Constellation", href: run.data?.metadata.constellation_url },
  ].filter((link): link is { label: string; href: string } => typeof link.href === "string");
  return (
    <Stack gap="xs">
      <Text component="h3" m={0} className="overline">
        External trackers
      </Text>
      {links.length === 0 ? (
        <Text size="sm" c="dimmed">
          This run is not logged anywhere else.
        </Text>
      ) : (
        <Group>
          {links.map((link) => (
            <Anchor key={link.label} href={link.href} target="_blank" rel="noreferrer" size="sm">
              {link.label}
            </Anchor>
          ))}
        </Group>
      )}
      <Button
        component="a"
        href={apiUrl(`/api/runs/${encodeURIComponent(runId)}`)}
        target="_blank"
        variant="subtle"
        size="compact-sm"
        w="fit-content"
      >
        Run as JSON
      </Button>
    </Stack>
  );
}

/** The observation is long and tells nothing to a reader; it is folded into its length. */
function rawFrame(frame: Frame): string {
  const fold = (key: string, value: unknown) =>
    key === "observation" && Array.isArray(value) ? `${value.length} numbers` : value;
  return JSON.stringify(frame, fold, 2);
}
