import { VisuallyHidden } from "@mantine/core";
import { memo, type ReactNode, useMemo } from "react";
import type { ReplayDetail, WindowRow, WorldDescriptor } from "../../api/types";
import type { EventLine } from "../../renderers/renderer";
import { EventLog } from "../../renderers/ui/EventLog";
import { Sparkline } from "../../shared/charts/Sparkline";
import type { Curve } from "../state/curves";
import type { Summary } from "../state/summary";
import { thin } from "../state/thin";
import classes from "./Rail.module.css";
import { ReplayCard } from "./ReplayCard";
import { WindowMetrics } from "./WindowMetrics";

const SPARKS = 3;
const SPARK_POINTS = 120;

interface Props {
  gauges: ReactNode;
  /** What the world shows besides. */
  panels: ReactNode;
  /** Null in a world that keeps no list of what happened. */
  events: readonly EventLine[] | null;
  detail: ReplayDetail;
  window: WindowRow | undefined;
  descriptor: WorldDescriptor;
  curves: readonly Curve[];
  summary: Summary | null;
  version: number;
}

/** Beside the picture: gauges, the replay, its training window, and three small curves. */
export function Rail({ gauges, panels, events, detail, window, descriptor, curves, summary, version }: Props) {
  const sparked = useMemo(() => curves.slice(0, SPARKS), [curves]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <aside className={classes.rail} aria-label="Details" tabIndex={0}>
      <section className={`case ${classes.panel}`} aria-label="Gauges">
        <VisuallyHidden component="h2">Gauges</VisuallyHidden>
        {gauges}
      </section>
      {panels}
      {events !== null && <EventLog lines={events} />}
      <ReplayCard detail={detail} descriptor={descriptor} />
      <section className={`case ${classes.panel}`}>
        <h2 className="overline">Through the replay</h2>
        <Sparks summary={summary} version={version} curves={sparked} />
      </section>
      <WindowMetrics window={window} windowId={detail.replay.window_id} descriptor={descriptor} />
    </aside>
  );
}

interface SparksProps {
  summary: Summary | null;
  /** The summary grows in place; its version tells when it did. */
  version: number;
  curves: readonly Curve[];
}

const Sparks = memo(function Sparks({ summary, curves }: SparksProps) {
  if (summary === null) {
    return null;
  }
  return (
    <div className={classes.sparks}>
      {curves.map(({ key, label, values, show }) => {
        const points = thin(values(summary), SPARK_POINTS);
        return (
          <div key={key} className={classes.spark}>
            <span>{label}</span>
            <Sparkline values={points} label={`${label} through the replay`} width={128} height={28} />
            <b>{show(points.findLast((value) => value !== null))}</b>
          </div>
        );
      })}
    </div>
  );
});
