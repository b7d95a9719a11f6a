import { ChartSpline, Gamepad2, type LucideIcon, Map as MapIcon, RadioTower, Telescope, Trophy } from "lucide-react";

export interface NavigationPage {
  label: string;
  href: string;
  hint: string;
  icon: LucideIcon;
  owns: (path: string) => boolean;
}

export const PAGES: readonly NavigationPage[] = [
  {
    label: "Watch",
    href: "/watch",
    hint: "Replays of trained policies",
    icon: Telescope,
    owns: (path) => path.startsWith("/watch"),
  },
  { label: "Play", href: "/play", hint: "Take the controls", icon: Gamepad2, owns: (path) => path.startsWith("/play") },
  {
    label: "Campaign",
    href: "/campaign",
    hint: "Lead a power day by day",
    icon: MapIcon,
    owns: (path) => path.startsWith("/campaign"),
  },
  {
    label: "Study",
    href: "/analytics",
    hint: "Runs, curves and comparisons",
    icon: ChartSpline,
    owns: (path) => path.startsWith("/analytics") || path.startsWith("/study"),
  },
  {
    label: "Operate",
    href: "/operate",
    hint: "Live worlds and their console",
    icon: RadioTower,
    owns: (path) => path.startsWith("/operate"),
  },
  {
    label: "Scoreboard",
    href: "/scoreboard",
    hint: "Scripts, champions, runs and people on the same seeds",
    icon: Trophy,
    owns: (path) => path.startsWith("/scoreboard"),
  },
];
