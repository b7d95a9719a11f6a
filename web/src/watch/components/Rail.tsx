import { type ReactNode, useMemo } from "react";
import type { ReplayDetail, WindowRow, WorldDescriptor } from "../../api/types";
import type { EventLine } from "../../renderers/renderer";
import { EventLog } from "../../renderers/ui/EventLog";
import { Sparkline } from "../../shared/charts/Sparkline";
import { formatNumber } from "../../shared/format";
import type { Summary } from "../state/summary";
import { thin } from "../state/thin";
import classes from "./Rail.module.css";
import { ReplayCard } from "./ReplayCard";
import { WindowMetrics } from "./WindowMetrics";

const SPARK_POINTS = 120;

interface Props {
  gauges: ReactNode;
  /** Null in a world that keeps no list of what happened. */
  events: readonly EventLine[] | null;
  detail: ReplayDetail;
  window: WindowRow | undefined;
  descriptor: WorldDescriptor;
  summary: Summary | null;
  version: number;
}

/** Beside the picture: gauges, the replay, its training window, and three small curves. */
export function Rail({ gauges, events, detail, window, descriptor, summary, version }: Props) {
  return (
    <aside className={classes.rail} aria-label="Details">
      <section className={`case ${classes.panel}`} aria-label="Gauges">
        {gauges}
      </section>
      {events !== null && <EventLog lines={events} />}
      <ReplayCard detail={detail} descriptor={descriptor} />
      <section className={`case ${classes.panel}`}>
        <h2 className="overline">Through the replay</h2>
        <Sparks summary={summary} version={version} descriptor={descriptor} />
      </section>
      <WindowMetrics window={window} windowId={detail.replay.window_id} descriptor={descriptor} />
    </aside>
  );
}

function Sparks({
  summary,
  version,
  descriptor,
}: {
  summary: Summary | null;
  version: number;
  descriptor: WorldDescriptor;
}) {
  // The summary grows in place; its version tells when it did.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const rows = useMemo(() => {
    if (summary === null) {
      return [];
    }
    const metrics = descriptor.headline.slice(0, 2).map((key) => ({
      label: descriptor.metrics.find((metric) => metric.key === key)?.label ?? key,
      values: thin(summary.metric(key), SPARK_POINTS),
    }));
    return [{ label: "Reward, summed", values: thin(summary.returns(), SPARK_POINTS) }, ...metrics];
  }, [summary, version, descriptor]);
  return (
    <div className={classes.sparks}>
      {rows.map((row) => (
        <div key={row.label} className={classes.spark}>
          <span>{row.label}</span>
          <Sparkline values={row.values} label={`${row.label} through the replay`} width={128} height={28} />
          <b>{formatNumber(row.values.findLast((value) => value !== null) ?? null)}</b>
        </div>
      ))}
    </div>
  );
}
