import { X_AXES, type XAxis } from "./xAxis";

export const TABS = ["curves", "windows", "replays", "config", "record", "tracker"] as const;
export type Tab = (typeof TABS)[number];

export const MAX_SELECTED = 8;
const MAX_SMOOTHING = 0.98;

/** What the address of the page holds, so that a link shows the same picture. */
export interface StudySelection {
  /** Null when the link names none, which means the newest run. */
  runs: string[] | null;
  focus: string | null;
  tab: Tab;
  xAxis: XAxis;
  smoothing: number;
  hasBands: boolean;
}

export function readSelection(search: string): StudySelection {
  const parameters = new URLSearchParams(search);
  const runs = parameters.get("runs");
  return {
    runs: runs === null ? null : [...new Set(runs.split(",").filter(Boolean))].slice(0, MAX_SELECTED),
    focus: parameters.get("focus"),
    tab: oneOf(TABS, parameters.get("tab"), "curves"),
    xAxis: oneOf(X_AXES, parameters.get("x"), "steps"),
    smoothing: readSmoothing(parameters.get("smooth")),
    hasBands: parameters.get("bands") !== "0",
  };
}

/** Returns the query string of a selection; other parameters of the page are kept, defaults are left out. */
export function writeSelection(search: string, change: Partial<StudySelection>): string {
  const next = { ...readSelection(search), ...change };
  const parameters = new URLSearchParams(search);
  const put = (name: string, value: string | null) =>
    value === null ? parameters.delete(name) : parameters.set(name, value);
  put("runs", next.runs === null ? null : next.runs.join(","));
  put("focus", next.focus !== null && next.runs?.includes(next.focus) ? next.focus : null);
  put("tab", next.tab === "curves" ? null : next.tab);
  put("x", next.xAxis === "steps" ? null : next.xAxis);
  put("smooth", next.smoothing === 0 ? null : String(next.smoothing));
  put("bands", next.hasBands ? null : "0");
  return parameters.toString().replaceAll("%2C", ",");
}

function oneOf<Name extends string>(names: readonly Name[], given: string | null, otherwise: Name): Name {
  return names.find((name) => name === given) ?? otherwise;
}

function readSmoothing(given: string | null): number {
  const value = Number(given ?? 0);
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), MAX_SMOOTHING) : 0;
}
