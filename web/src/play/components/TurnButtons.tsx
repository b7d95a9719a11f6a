import { ActionIcon, Button, Group, Slider, Text, Tooltip } from "@mantine/core";
import { CirclePause, Pause, Play, StepForward } from "lucide-react";
import { formatCount } from "../../shared/format";
import type { AutoRun } from "../state/useAutoRun";
import classes from "./Play.module.css";

interface Props {
  canAct: boolean;
  selectedTitle: string | null;
  auto: AutoRun;
  onStep: () => void;
  onHold: () => void;
}

/** Time that passes decision by decision. */
export function TurnButtons({ canAct, selectedTitle, auto, onStep, onHold }: Props) {
  return (
    <Group gap={6}>
      <Tooltip label={selectedTitle === null ? "Choose an action first" : `Once more: ${selectedTitle} (Space)`}>
        <Button
          variant="light"
          size="sm"
          leftSection={<StepForward size={15} aria-hidden />}
          disabled={!canAct || selectedTitle === null}
          onClick={onStep}
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
          onClick={onHold}
        >
          Hold
        </Button>
      </Tooltip>
      <Tooltip label={auto.isRunning ? "Stop repeating (A)" : "Repeat the selected action (A)"}>
        <ActionIcon
          variant={auto.isRunning ? "filled" : "light"}
          size={34}
          aria-label={auto.isRunning ? "Stop auto-run" : "Auto-run"}
          aria-pressed={auto.isRunning}
          disabled={!canAct || selectedTitle === null}
          onClick={auto.toggle}
          data-testid="auto-run"
        >
          {auto.isRunning ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <Slider
        className={classes.speed}
        min={1}
        max={10}
        value={auto.stepsPerSecond}
        onChange={auto.setSpeed}
        label={(value) => `${value} steps/s`}
        thumbLabel="Auto-run, steps per second"
      />
      <Text size="xs" c="dimmed" className={`tabular ${classes.pace}`} aria-hidden>
        {formatCount(auto.stepsPerSecond, "step")}/s
      </Text>
    </Group>
  );
}
