import type { JsonValue, WindowRow } from "../../api/types";

const FIRST_COLUMNS = ["run_id", "world", "window_id", "env_steps_total"];

/** Returns windows of one or more runs as CSV (RFC 4180), one row each; columns are all fields any of them has. */
export function windowsToCsv(windows: readonly WindowRow[]): string {
  const fields = new Set(windows.flatMap((window) => Object.keys(window)));
  const columns = [...FIRST_COLUMNS.filter((name) => fields.delete(name)), ...fields];
  const lines = windows.map((window) => columns.map((name) => cell(window[name] as JsonValue | undefined)).join(","));
  return `${[columns.map(cell).join(","), ...lines].join("\r\n")}\r\n`;
}

function cell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) {
    return "";
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
