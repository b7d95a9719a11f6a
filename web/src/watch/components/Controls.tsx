import { ActionIcon, Group, NumberInput, Select, Tooltip } from "@mantine/core";
import { type LucideIcon, Pause, Play, RotateCcw, SkipBack, SkipForward } from "lucide-react";
import type { ReactNode } from "react";
import type { PlaybackControls } from "../state/usePlayback";
import classes from "./Controls.module.css";

const SPEEDS = [1, 2, 4, 6, 10, 15, 20].map((fps) => ({ value: `${fps}`, label: `${fps} steps/s` }));

interface Props {
  playback: PlaybackControls;
  frames: number;
  isWaiting: boolean;
  children?: ReactNode;
}

/** Play, pause, back, step and restart, with speed and the number of the frame. */
export function Controls({ playback, frames, isWaiting, children }: Props) {
  const { dispatch, isPlaying, index, fps, stride } = playback;
  const speeds = SPEEDS.some((speed) => speed.value === `${fps}`)
    ? SPEEDS
    : [...SPEEDS, { value: `${fps}`, label: `${fps} steps/s` }];
  return (
    <Group gap="xs" wrap="wrap" role="group" aria-label="Playback">
      <Key icon={RotateCcw} label="Restart (Home)" onClick={() => dispatch({ type: "restart" })} />
      <Key icon={SkipBack} label="One step back (←)" onClick={() => dispatch({ type: "move", by: -stride })} />
      <Tooltip label={isPlaying ? "Pause (Space)" : "Play (Space)"}>
        <ActionIcon
          size={46}
          radius="xl"
          variant="filled"
          aria-label={isPlaying ? "Pause" : "Play"}
          loading={isPlaying && isWaiting}
          onClick={() => dispatch({ type: "toggle" })}
          data-testid="play-pause"
        >
          {isPlaying ? <Pause size={20} aria-hidden /> : <Play size={20} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <Key icon={SkipForward} label="One step on (→)" onClick={() => dispatch({ type: "move", by: stride })} />
      <Select
        aria-label="Speed"
        data={speeds}
        value={`${fps}`}
        w={124}
        allowDeselect={false}
        onChange={(value) => value !== null && dispatch({ type: "set", fps: Number(value) })}
      />
      <Group gap={6} wrap="nowrap" className={classes.counter}>
        <NumberInput
          aria-label="Frame"
          value={index}
          min={0}
          max={Math.max(0, frames - 1)}
          w={92}
          hideControls
          clampBehavior="strict"
          allowDecimal={false}
          onChange={(value) => typeof value === "number" && value !== index && dispatch({ type: "seek", index: value })}
        />
        <span className={classes.total}>of {Math.max(0, frames - 1).toLocaleString("en")}</span>
      </Group>
      <Group gap="xs" ml="auto">
        {children}
      </Group>
    </Group>
  );
}

function Key({ icon: Icon, label, onClick }: { icon: LucideIcon; label: string; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick}>
        <Icon size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
