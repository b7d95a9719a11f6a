import type { WindowRow } from "../../api/types";

/**
 * Returns the windows with a followed one put in its place, oldest first.
 *
 * A window that is already there is replaced: a stream repeats its last events after a resumption, and a partial window
 * is written again when a resumed run completes it. The same list comes back when nothing changes, so that charts stay
 * as they are.
 */
export function mergeWindow(windows: readonly WindowRow[], incoming: WindowRow): readonly WindowRow[] {
  const after = windows.findLastIndex((window) => window.window_id <= incoming.window_id);
  const known = windows[after];
  if (known?.window_id !== incoming.window_id) {
    return [...windows.slice(0, after + 1), incoming, ...windows.slice(after + 1)];
  }
  if (known.created_at === incoming.created_at && known.env_steps_total === incoming.env_steps_total) {
    return windows;
  }
  return windows.with(after, incoming);
}
