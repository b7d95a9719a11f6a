import type { Tone } from "../state/words";
import classes from "./Gauge.module.css";

interface Props {
  label: string;
  value: string;
  share: number;
  tone: Tone;
  note?: string;
}

/** A named bar with its value in words beside it. */
export function Gauge({ label, value, share, tone, note }: Props) {
  return (
    <div className={classes.gauge}>
      <span className={classes.gaugeLabel}>{label}</span>
      <span className={classes.gaugeValue} data-tone={tone}>
        {value}
      </span>
      <span className={classes.gaugeTrack} aria-hidden="true">
        <i style={{ width: `${Math.round(100 * Math.min(Math.max(share, 0), 1))}%` }} data-tone={tone} />
      </span>
      {note !== undefined && <span className={classes.gaugeNote}>{note}</span>}
    </div>
  );
}
