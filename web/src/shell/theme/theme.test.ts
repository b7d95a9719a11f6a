import { DEFAULT_THEME, mergeMantineTheme } from "@mantine/core";
import { describe, expect, test } from "vitest";
import { iris, SERIES_COLORS } from "./palette";
import { cssVariables, theme } from "./theme";

const TEXT_CONTRAST = 4.5;
const SURFACES = ["--mantine-color-body", "--dio-surface", "--dio-raised"];
const TEXTS = [
  "--dio-text",
  "--dio-dim",
  "--dio-accent",
  "--dio-lamp",
  "--dio-good",
  "--dio-warn",
  "--dio-bad",
  "--mantine-color-placeholder",
  "--mantine-color-anchor",
];
const variables = cssVariables(mergeMantineTheme(DEFAULT_THEME, theme));

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(["dark", "light"] as const)("in the %s scheme", (scheme) => {
  const color = (name: string) => (variables[scheme] as Record<string, string>)[name] ?? "";

  test.each(TEXTS)("%s can be read on every surface", (text) => {
    for (const surface of SURFACES) {
      expect(contrast(color(text), color(surface)), `on ${surface}`).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    }
  });

  test("filled buttons can be read", () => {
    const shade = scheme === "dark" ? 4 : 7;

    expect(contrast(color("--mantine-primary-color-contrast"), iris[shade])).toBeGreaterThanOrEqual(TEXT_CONTRAST);
  });

  test.each(["iris", "lamp"])("tinted %s buttons and badges can be read", (name) => {
    const text = color(`--mantine-color-${name}-light-color`);

    expect(contrast(text, color(`--mantine-color-${name}-light`))).toBeGreaterThanOrEqual(TEXT_CONTRAST);
  });

  test.each(SERIES_COLORS[scheme])("the numbers of a curve in %s can be read", (series) => {
    expect(contrast(series, color("--dio-surface"))).toBeGreaterThanOrEqual(TEXT_CONTRAST);
  });
});
