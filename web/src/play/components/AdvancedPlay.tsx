import { Button, NumberInput, Popover, Stack, Text } from "@mantine/core";
import { Settings2 } from "lucide-react";
import { useState } from "react";

interface Props {
  seed: number | null;
  /** Null in a world without a time budget. */
  timeMax: number | null;
  onStart: (game: { seed?: number; timeMax?: number }) => void;
}

/** Seed and, where there is one, time budget of the next world. */
export function AdvancedPlay({ seed, timeMax, onStart }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [nextSeed, setSeed] = useState<number | string>("");
  const [nextTime, setTime] = useState<number | string>("");
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" width={280} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<Settings2 size={15} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          Advanced
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <NumberInput
            label="Seed"
            description="The same seed makes the same world"
            placeholder={seed === null ? "random" : `${seed}`}
            value={nextSeed}
            onChange={setSeed}
            min={0}
            max={Number.MAX_SAFE_INTEGER}
            allowDecimal={false}
            hideControls
          />
          {timeMax !== null && (
            <NumberInput
              label="Time budget"
              description="Ticks until the world is cut off"
              placeholder={`${timeMax}`}
              value={nextTime}
              onChange={setTime}
              min={1}
              hideControls
            />
          )}
          <Button
            onClick={() => {
              setOpen(false);
              onStart({
                seed: typeof nextSeed === "number" ? nextSeed : undefined,
                timeMax: typeof nextTime === "number" ? nextTime : undefined,
              });
            }}
          >
            Start
          </Button>
          <Text size="xs" c="dimmed">
            Starting replaces the present session.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
