import type { MantineColorsTuple } from "@mantine/core";

/** Periwinkle of the night sky behind a display case: actions, links, selection. */
export const iris: MantineColorsTuple = [
  "#f0f2ff",
  "#dfe4ff",
  "#bfc8ff",
  "#9dabff",
  "#8292fb",
  "#6a7af0",
  "#5563e0",
  "#4450c4",
  "#3640a0",
  "#262e74",
];

/** Lamplight: what is live, best or worth a look. */
export const lamp: MantineColorsTuple = [
  "#fff6e8",
  "#ffe9c9",
  "#ffd699",
  "#ffc069",
  "#f9ab45",
  "#e88f1f",
  "#c26f0b",
  "#96540a",
  "#774410",
  "#4f2d0b",
];

/** Ink to paper; the neutral scale of dark surfaces, lightest first as Mantine expects. */
export const dark: MantineColorsTuple = [
  "#e6e9f5",
  "#c6ccdf",
  "#a3abc4",
  "#7f88a5",
  "#3d4663",
  "#2a3250",
  "#1d2440",
  "#141a30",
  "#0e1324",
  "#090d1a",
];

export const gray: MantineColorsTuple = [
  "#faf8f4",
  "#f3f0ea",
  "#e7e3db",
  "#d6d1c6",
  "#bab4a7",
  "#8f897d",
  "#6a665d",
  "#514e47",
  "#393733",
  "#24231f",
];

/** Line colors that stay apart under the common kinds of color blindness (after Okabe and Ito), per scheme. */
export const SERIES_COLORS = {
  dark: ["#7aa5ff", "#f5a742", "#3ecfa6", "#f07fb8", "#f3e26a", "#63cdf5", "#ff8a5c", "#c3c8d8"],
  light: ["#1f5fc4", "#a85800", "#00795a", "#a8337d", "#7c6a00", "#08719c", "#c43d00", "#4c5160"],
} as const;
