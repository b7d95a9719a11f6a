import { ActionIcon, Button, Group, Slider, Tooltip } from "@mantine/core";
import { CirclePause, CircleStop, Pause, Play, Plus, RotateCcw, StepForward, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./Play.module.css";

interface Props {
  canAct: boolean;
  undoAvailable: number;
  selectedTitle: string | null;
  isRunning: boolean;
  stepsPerSecond: number;
  onNew: () => void;
  onReset: () => void;
  onEnd: () => void;
  onUndo: () => void;
  onStep: () => void;
  onHold: () => void;
  onRun: () => void;
  onSpeed: (stepsPerSecond: number) => void;
  children?: ReactNode;
}

/** The session's own buttons, beside the actions of the world. */
export function Toolbar(props: Props) {
  const { canAct, undoAvailable, selectedTitle, isRunning, stepsPerSecond } = props;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Session">
      <Group gap={6}>
        <Tooltip label="A new world with another seed">
          <Button variant="default" size="sm" leftSection={<Plus size={15} aria-hidden />} onClick={props.onNew}>
            New
          </Button>
        </Tooltip>
        <Tooltip label="The same world from its start">
          <Button variant="default" size="sm" leftSection={<RotateCcw size={15} aria-hidden />} onClick={props.onReset}>
            Reset
          </Button>
        </Tooltip>
        <Tooltip label="End the session">
          <Button variant="default" size="sm" leftSection={<CircleStop size={15} aria-hidden />} onClick={props.onEnd}>
            End
          </Button>
        </Tooltip>
        <Tooltip
          label={undoAvailable > 0 ? `Take back the last decision (U); ${undoAvailable} left` : "Nothing to take back"}
        >
          <Button
            variant="default"
            size="sm"
            leftSection={<Undo2 size={15} aria-hidden />}
            disabled={undoAvailable === 0}
            onClick={props.onUndo}
            data-testid="undo"
          >
            Undo
          </Button>
        </Tooltip>
      </Group>
      <Group gap={6}>
        <Tooltip label={selectedTitle === null ? "Choose an action first" : `Once more: ${selectedTitle} (Space)`}>
          <Button
            variant="light"
            size="sm"
            leftSection={<StepForward size={15} aria-hidden />}
            disabled={!canAct || selectedTitle === null}
            onClick={props.onStep}
          >
            Step selected
          </Button>
        </Tooltip>
        <Tooltip label="Wait one step (H)">
          <Button
            variant="light"
            size="sm"
            leftSection={<CirclePause size={15} aria-hidden />}
            disabled={!canAct}
            onClick={props.onHold}
          >
            Hold
          </Button>
        </Tooltip>
        <Tooltip label={isRunning ? "Stop repeating (A)" : "Repeat the selected action (A)"}>
          <ActionIcon
            variant={isRunning ? "filled" : "light"}
            size={34}
            aria-label={isRunning ? "Stop auto-run" : "Auto-run"}
            aria-pressed={isRunning}
            disabled={!canAct || selectedTitle === null}
            onClick={props.onRun}
            data-testid="auto-run"
          >
            {isRunning ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
        <Slider
          className={classes.speed}
          min={1}
          max={10}
          value={stepsPerSecond}
          onChange={props.onSpeed}
          label={(value) => `${value} steps/s`}
          thumbLabel="Auto-run, steps per second"
        />
      </Group>
      <Group gap={6} ml="auto">
        {props.children}
      </Group>
    </div>
  );
}
