import { Button, Group, Slider, Stack, Tooltip } from "@mantine/core";
import { Check, Pause, Play, Swords } from "lucide-react";
import type { PolicyPlay } from "../state/usePolicyPlay";
import type { Opposition } from "../state/usePolicySeat";
import { PanelSwitch } from "./PanelSwitch";

interface Props {
  player: PolicyPlay;
  /** Whether its options may be drawn; null where they cannot. */
  drawing: { isOn: boolean; set: (isOn: boolean) => void } | null;
  /** Whether it plays the other seats; null where it cannot. */
  opposing: Opposition | null;
}

/** Lets a policy play: the own seat once or continuously, and the other seats. */
export function PolicyButtons({ player, drawing, opposing }: Props) {
  return (
    <Stack gap={10} mt={12}>
      <Group gap={6} wrap="nowrap">
        <Tooltip label="Decide once as the policy would (Y)">
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<Check size={14} aria-hidden />}
            disabled={!player.canAct && !player.isRunning}
            onClick={player.once}
          >
            Do it
          </Button>
        </Tooltip>
        <Tooltip label={player.isRunning ? "Take over again (L)" : "Let the policy play until you stop it (L)"}>
          <Button
            size="compact-sm"
            variant={player.isRunning ? "filled" : "light"}
            leftSection={player.isRunning ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
            aria-pressed={player.isRunning}
            disabled={!player.canAct && !player.isRunning}
            onClick={player.toggle}
            data-testid="let-it-play"
          >
            {player.isRunning ? "Stop it" : "Let it play"}
          </Button>
        </Tooltip>
        <Slider
          flex={1}
          miw={60}
          min={1}
          max={20}
          value={player.stepsPerSecond}
          onChange={player.setSpeed}
          label={(value) => `${value} decisions/s`}
          thumbLabel="Decisions of the policy per second"
        />
      </Group>
      {drawing !== null && (
        <PanelSwitch
          label="Draws by its odds"
          description="Else it always takes the likeliest option"
          checked={drawing.isOn}
          onSwitch={drawing.set}
        />
      )}
      {opposing?.isAnew && (
        <Tooltip label="A new one in the policy's configuration: you have one side, the policy the other">
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<Swords size={14} aria-hidden />}
            onClick={() => opposing.set(true)}
            data-testid="play-against"
          >
            Play against it
          </Button>
        </Tooltip>
      )}
      {opposing !== null && !opposing.isAnew && (
        <PanelSwitch
          label="Plays the other seats"
          description="Instead of whoever the server has put there"
          checked={opposing.isOn}
          onSwitch={opposing.set}
          data-testid="plays-others"
        />
      )}
    </Stack>
  );
}
