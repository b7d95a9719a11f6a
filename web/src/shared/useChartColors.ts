import { useComputedColorScheme } from "@mantine/core";
import { SERIES_COLORS } from "../shell/theme/palette";

const SURFACES = {
  dark: { grid: "#222a45", text: "#a3abc4", background: "#12172b", ink: "#e6e9f5" },
  light: { grid: "#e7e3d9", text: "#595a66", background: "#fffdf9", ink: "#191c28" },
} as const;

export type ChartColors = { series: readonly string[] } & (typeof SURFACES)[keyof typeof SURFACES];

const COLORS: Record<"dark" | "light", ChartColors> = {
  dark: { series: SERIES_COLORS.dark, ...SURFACES.dark },
  light: { series: SERIES_COLORS.light, ...SURFACES.light },
};

/** Colors for canvases, which cannot read style sheets; the same object as long as the scheme stays. */
export function useChartColors(): ChartColors {
  return COLORS[useComputedColorScheme("dark")];
}
