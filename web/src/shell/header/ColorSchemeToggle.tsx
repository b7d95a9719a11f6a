import { ActionIcon, Tooltip, useMantineColorScheme } from "@mantine/core";
import { Moon, Sun, SunMoon } from "lucide-react";

const SCHEMES = {
  auto: { icon: SunMoon, label: "Colors follow the system", next: "dark" },
  dark: { icon: Moon, label: "Dark colors", next: "light" },
  light: { icon: Sun, label: "Light colors", next: "auto" },
} as const;

/** Steps through auto, dark and light; Mantine remembers the choice in this browser. */
export function ColorSchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon: Icon, label, next } = SCHEMES[colorScheme];
  return (
    <Tooltip label={`${label}; switch to ${next}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`${label}. Switch to ${next}`}
        onClick={() => setColorScheme(next)}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
