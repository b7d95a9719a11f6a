import "uplot/dist/uPlot.min.css";
import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import { useElementWidth } from "../../shared/useElementWidth";
import type { Series } from "../state/series";
import type { XAxis } from "../state/xAxis";
import { alignSeries } from "./alignedData";
import type { ChartGroup } from "./chartGroup";
import { type ChartLook, chartOptions } from "./chartOptions";
import classes from "./Plot.module.css";

interface Props {
  id: string;
  title: string;
  lines: readonly Series[];
  xAxis: XAxis;
  /** Value that stands for all of something; null where none does. */
  whole: number | null;
  look: ChartLook;
  group: ChartGroup;
  height: number;
  /** Called with the chart whenever its cursor moves, here or in a chart beside it. */
  onCursor: (plot: uPlot) => void;
  label: string;
}

/** One uPlot canvas. It is built anew when its shape changes and fed otherwise. */
export function Plot({ id, title, lines, xAxis, whole, look, group, height, onCursor, label }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const cursorListener = useRef(onCursor);
  cursorListener.current = onCursor;
  const data = useMemo(() => alignSeries(lines), [lines]);
  const [frame, width] = useElementWidth<HTMLDivElement>();
  const hasWidth = width > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: width and data are followed by the effects below
  useEffect(() => {
    if (host.current === null || !hasWidth) {
      return;
    }
    const onMove = (moved: uPlot) => cursorListener.current(moved);
    const options = chartOptions({ width, height, xAxis, whole, look, group, onCursor: onMove });
    const built = new uPlot(options, data, host.current);
    plot.current = built;
    group.add(id, { title, plot: built });
    return () => {
      group.remove(id, built);
      built.destroy();
      plot.current = null;
    };
  }, [hasWidth, height, xAxis, whole, look, group, id, title]);

  useEffect(() => {
    plot.current?.setData(data, !group.isZoomed);
  }, [data, group]);

  useEffect(() => {
    if (width > 0) {
      plot.current?.setSize({ width, height });
    }
  }, [width, height]);

  return (
    <div ref={frame} className={classes.frame} style={{ height }}>
      <div ref={host} role="img" aria-label={label} />
    </div>
  );
}
