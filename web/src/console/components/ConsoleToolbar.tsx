import { ActionIcon, Button, FileButton, Group, Menu, SegmentedControl, Tooltip } from "@mantine/core";
import { Camera, Download, EllipsisVertical, Pause, Play, Power, ScanSearch, StepForward, Upload } from "lucide-react";
import { PaletteSwitch } from "../../renderers/pixels/PaletteSwitch";
import type { PaletteName } from "../../renderers/pixels/shades";
import classes from "../console.module.css";
import { type RunningConsole, SPEEDS } from "../state/useConsoleLink";

interface Props {
  running: RunningConsole;
  palette: PaletteName;
  stateSuffix: string;
  isInspecting: boolean;
  onPalette: (palette: PaletteName) => void;
  onRestart: () => void;
  onSave: () => void;
  onLoad: (file: File) => void;
  onPhotograph: () => void;
  onInspect: () => void;
}

/** Time, power, states and colors of a console. */
export function ConsoleToolbar({ running, palette, stateSuffix, isInspecting, ...on }: Props) {
  const { isPaused } = running;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Console">
      <Group gap={6}>
        <Tooltip label={isPaused ? "Let time pass (Space)" : "Let time stand still (Space)"}>
          <Button
            variant={isPaused ? "filled" : "light"}
            size="sm"
            w={104}
            leftSection={isPaused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
            onClick={running.toggle}
            data-testid="console-clock"
          >
            {isPaused ? "Run" : "Pause"}
          </Button>
        </Tooltip>
        <Tooltip label="Run one frame (.)">
          <ActionIcon variant="default" size={36} aria-label="Run one frame" onClick={running.step}>
            <StepForward size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <SegmentedControl
          size="xs"
          aria-label="Speed"
          value={String(running.speed)}
          onChange={(value) => running.setSpeed(Number(value))}
          data={SPEEDS.map((speed) => ({ value: String(speed), label: `${speed === 0.5 ? "½" : speed}×` }))}
        />
      </Group>
      <Group gap={6}>
        <Tooltip label="Switch off and on again">
          <Button variant="default" size="sm" leftSection={<Power size={15} aria-hidden />} onClick={on.onRestart}>
            Reset
          </Button>
        </Tooltip>
        <Tooltip label="Registers, code, tiles, objects">
          <Button
            variant={isInspecting ? "filled" : "default"}
            size="sm"
            leftSection={<ScanSearch size={15} aria-hidden />}
            aria-pressed={isInspecting}
            onClick={on.onInspect}
          >
            Inspect
          </Button>
        </Tooltip>
        <FileButton onChange={(file) => file !== null && on.onLoad(file)} accept={stateSuffix}>
          {({ onClick }) => (
            <Menu position="bottom-end" shadow="md">
              <Menu.Target>
                <ActionIcon variant="default" size={36} aria-label="States and pictures">
                  <EllipsisVertical size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<Download size={15} aria-hidden />} onClick={on.onSave}>
                  Save state
                </Menu.Item>
                <Menu.Item leftSection={<Upload size={15} aria-hidden />} onClick={onClick}>
                  Load state
                </Menu.Item>
                <Menu.Item leftSection={<Camera size={15} aria-hidden />} onClick={on.onPhotograph}>
                  Screenshot
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </FileButton>
        <PaletteSwitch palette={palette} onPalette={on.onPalette} />
      </Group>
    </div>
  );
}
