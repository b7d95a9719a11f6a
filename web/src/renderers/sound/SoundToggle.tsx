import { ActionIcon, Tooltip } from "@mantine/core";
import { Volume2, VolumeX } from "lucide-react";
import type { Sound } from "./useSound";

export function SoundToggle({ sound }: { sound: Sound }) {
  const label = sound.isOn ? "Sound is on; switch it off" : "Sound is off; switch it on";
  const Icon = sound.isOn ? Volume2 : VolumeX;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={label}
        aria-pressed={sound.isOn}
        onClick={sound.toggle}
        data-testid="sound-toggle"
      >
        <Icon size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
