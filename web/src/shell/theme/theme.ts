import {
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  defaultVariantColorsResolver,
  Modal,
  Notification,
  Table,
} from "@mantine/core";
import { dark, gray, iris, lamp } from "./palette";

const ON_FILLED: Readonly<Record<string, string>> = {
  iris: "var(--mantine-primary-color-contrast)",
  lamp: "var(--dio-on-lamp)",
};

/** The page has one banner; the top of a dialog, a `header` to Mantine, is none. */
const DIALOG = { closeButtonProps: { "aria-label": "Close" }, attributes: { header: { role: "none" } } };

export const theme = createTheme({
  colors: { iris, lamp, dark, gray },
  primaryColor: "iris",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.28,
  black: "#191c28",
  fontFamily: "Inter, system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono', ui-monospace, monospace",
  headings: { fontFamily: "Inter, system-ui, sans-serif", fontWeight: "650" },
  defaultRadius: "md",
  radius: { xs: "4px", sm: "6px", md: "10px", lg: "14px", xl: "22px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Drawer: Drawer.extend({ defaultProps: DIALOG }),
    Modal: Modal.extend({ defaultProps: DIALOG }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } }),
    Table: Table.extend({ defaultProps: { borderColor: "var(--dio-line)" } }),
  },
  // Mantine picks the text color of filled buttons for one scheme only; our primary is light in the other.
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input);
    const color = input.color ?? input.theme.primaryColor;
    const onFilled = ON_FILLED[color];
    return input.variant === "filled" && onFilled !== undefined ? { ...resolved, color: onFilled } : resolved;
  },
});

/** Surface and text tokens. Text on `surface` and `raised` keeps a contrast of at least 4.5 in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    "--dio-header-height": "60px",
    "--dio-brand": "#f5a742",
    "--dio-page-width": "1720px",
  },
  dark: {
    "--mantine-color-body": "#0b0f1d",
    "--mantine-color-text": "#e6e9f5",
    "--mantine-color-dimmed": "#a3abc4",
    "--mantine-color-placeholder": "#8f98b5",
    "--mantine-color-default": "#161c33",
    "--mantine-color-default-hover": "#1d2440",
    "--mantine-color-default-border": "#2f3858",
    "--mantine-color-anchor": "#9dabff",
    "--mantine-primary-color-contrast": "#0b0f1d",
    "--mantine-color-iris-light": "#232b52",
    "--mantine-color-iris-light-hover": "#2b3463",
    "--mantine-color-iris-light-color": "#c7d0ff",
    "--mantine-color-lamp-light": "#3a2c17",
    "--mantine-color-lamp-light-color": "#ffd699",
    "--dio-surface": "#12172b",
    "--dio-raised": "#191f38",
    "--dio-sunken": "#090d1a",
    "--dio-line": "#252d49",
    "--dio-line-strong": "#39435f",
    "--dio-text": "#e6e9f5",
    "--dio-dim": "#a3abc4",
    "--dio-accent": "#9dabff",
    "--dio-lamp": "#ffc069",
    "--dio-on-lamp": "#2b1a04",
    "--dio-good": "#54d6a8",
    "--dio-warn": "#ffc069",
    "--dio-bad": "#ff8f8f",
    "--dio-shadow": "0 1px 0 rgb(255 255 255 / 4%) inset, 0 12px 32px -18px rgb(0 0 0 / 80%)",
    "--dio-sky": "radial-gradient(120% 90% at 75% -20%, #27306a 0%, #151b38 45%, #0b0f1d 100%)",
  },
  light: {
    "--mantine-color-body": "#f6f3ed",
    "--mantine-color-text": "#191c28",
    "--mantine-color-dimmed": "#595a66",
    "--mantine-color-placeholder": "#6a665d",
    "--mantine-color-default": "#ffffff",
    "--mantine-color-default-hover": "#f3f0ea",
    "--mantine-color-default-border": "#d6d1c6",
    "--mantine-color-anchor": "#4450c4",
    "--mantine-primary-color-contrast": "#ffffff",
    "--mantine-color-iris-light": "#e6e9ff",
    "--mantine-color-iris-light-hover": "#d9deff",
    "--mantine-color-iris-light-color": "#3640a0",
    "--mantine-color-lamp-light": "#ffecd2",
    "--mantine-color-lamp-light-color": "#774410",
    "--mantine-color-teal-light-color": "#056046",
    "--dio-surface": "#fffdf9",
    "--dio-raised": "#ffffff",
    "--dio-sunken": "#edeae2",
    "--dio-line": "#e2ddd2",
    "--dio-line-strong": "#c9c3b5",
    "--dio-text": "#191c28",
    "--dio-dim": "#595a66",
    "--dio-accent": "#4450c4",
    "--dio-lamp": "#8f4f06",
    "--dio-on-lamp": "#ffffff",
    "--dio-good": "#046c4e",
    "--dio-warn": "#8f4f06",
    "--dio-bad": "#b42323",
    "--dio-shadow": "0 1px 2px rgb(40 34 20 / 6%), 0 14px 30px -22px rgb(40 34 20 / 45%)",
    "--dio-sky": "radial-gradient(120% 90% at 75% -20%, #ffe9c9 0%, #f3ecf7 45%, #f6f3ed 100%)",
  },
});
