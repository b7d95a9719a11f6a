import { Button, Group, Tooltip } from "@mantine/core";
import { Pause, Play, StepForward } from "lucide-react";
import { keyLabel } from "../state/hotkeys";
import { type Clock, SPEEDS } from "../state/useClock";

interface Props {
  canAct: boolean;
  /** Null in a world that passes only decision by decision. */
  clock: Clock | null;
  /** The key that starts and stops it. */
  clockKey: string;
  onStep: () => void;
}

/** Time that passes by the clock, at a chosen speed, or step by step. */
export function ClockButtons({ canAct, clock, clockKey, onStep }: Props) {
  const isRunning = clock?.isRunning ?? false;
  return (
    <Group gap={6}>
      {clock !== null && (
        <Tooltip label={`${isRunning ? "Let time stand still" : "Let time pass"} (${keyLabel(clockKey)})`}>
          <Button
            variant={isRunning ? "light" : "filled"}
            size="sm"
            w={104}
            leftSection={isRunning ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
            disabled={!canAct}
            onClick={clock.toggle}
            data-testid="clock"
          >
            {isRunning ? "Pause" : "Run"}
          </Button>
        </Tooltip>
      )}
      <Tooltip label="Carry the orders out for one step (.)">
        <Button
          variant="light"
          size="sm"
          leftSection={<StepForward size={15} aria-hidden />}
          disabled={!canAct || isRunning}
          onClick={onStep}
          data-testid="one-tick"
        >
          One step
        </Button>
      </Tooltip>
      {clock !== null && (
        <Button.Group aria-label="Speed">
          {SPEEDS.map((speed) => (
            <Button
              key={speed}
              variant={clock.speed === speed ? "filled" : "default"}
              size="sm"
              px={9}
              aria-pressed={clock.speed === speed}
              title={`${speed} simulated seconds in one`}
              onClick={() => clock.setSpeed(speed)}
            >
              {speed}×
            </Button>
          ))}
        </Button.Group>
      )}
    </Group>
  );
}
