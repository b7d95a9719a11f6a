import classes from "./StatusBadge.module.css";
import type { ShownStatus } from "./shownStatus";

const STATUSES: Record<ShownStatus, { label: string; tone: string; hint: string }> = {
  running: { label: "Running", tone: "live", hint: "Training right now" },
  completed: { label: "Completed", tone: "good", hint: "Reached its target" },
  stopped: { label: "Stopped", tone: "quiet", hint: "Ended by its operator; it can be resumed" },
  failed: { label: "Failed", tone: "bad", hint: "Ended with an error" },
  stale: { label: "Stale", tone: "warn", hint: "Says it is running but has not written anything for 30 minutes" },
  unreadable: { label: "Unreadable", tone: "bad", hint: "Its files could not be read" },
};

/** A run's status as a dot and a word, so that color is never the only sign. */
export function StatusBadge({ status, problem }: { status: ShownStatus; problem?: string | null }) {
  const { label, tone, hint } = STATUSES[status];
  return (
    <span className={classes.badge} data-tone={tone} title={problem ?? hint}>
      <span className={classes.dot} aria-hidden="true" />
      {label}
    </span>
  );
}
