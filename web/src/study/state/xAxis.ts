import type { WindowRow } from "../../api/types";
import { formatCompact, formatDuration } from "../../shared/format";

export const X_AXES = ["steps", "window", "wall"] as const;
export type XAxis = (typeof X_AXES)[number];

export const X_AXIS_LABELS: Record<XAxis, string> = { steps: "Steps", window: "Window", wall: "Wall time" };

/** Returns where each window lies on the axis; wall time is the training time up to its end, in seconds. */
export function xValues(windows: readonly WindowRow[], axis: XAxis): number[] {
  if (axis === "steps") {
    return windows.map((window) => window.env_steps_total);
  }
  if (axis === "window") {
    return windows.map((window) => window.window_id);
  }
  let elapsed = 0;
  return windows.map((window) => {
    elapsed += window.wall_seconds;
    return elapsed;
  });
}

export function formatX(value: number, axis: XAxis): string {
  return axis === "wall" ? formatDuration(value) : formatCompact(value);
}
