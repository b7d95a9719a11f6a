import { useCallback, useRef } from "react";
import type uPlot from "uplot";
import { amountText } from "../../../shared/world/metrics";
import { COLUMNS_PER_RUN } from "../../charts/alignedData";
import type { ChartGroup } from "../../charts/chartGroup";
import type { ChartLook } from "../../charts/chartOptions";
import { Plot } from "../../charts/Plot";
import type { Series } from "../../state/series";
import { formatX, type XAxis } from "../../state/xAxis";
import classes from "../../study.module.css";

interface Props {
  id: string;
  title: string;
  label: string;
  names: readonly string[];
  lines: readonly Series[];
  xAxis: XAxis;
  /** Value that stands for all of something; null where none does. */
  whole: number | null;
  look: ChartLook;
  group: ChartGroup;
  height: number;
}

/** A chart with the values under the cursor above it, or the newest ones while there is none. */
export function ChartWithReadout({ names, lines, ...plot }: Props) {
  const row = useRef<HTMLDivElement>(null);
  const newest = lines.map((line) => line.y.findLast((value) => value !== null) ?? null);
  const newestText = newest.map((value) => amountText(value, plot.whole)).join("|");

  // A pointer moves through twenty linked charts at once: the text is written without asking React.
  const onCursor = useCallback(
    (moved: uPlot) => {
      const cells = row.current?.querySelectorAll("[data-run]") ?? [];
      const still = newestText.split("|");
      cells.forEach((cell, run) => {
        cell.textContent = valueAtCursor(moved, 1 + run * COLUMNS_PER_RUN, plot.whole) ?? still[run] ?? "";
      });
      const place = row.current?.querySelector("[data-x]");
      if (place) {
        const at = moved.cursor.idx;
        const x = typeof at === "number" ? moved.data[0][at] : undefined;
        place.textContent = x === undefined ? "" : `at ${formatX(x, plot.xAxis)}`;
      }
    },
    [newestText, plot.xAxis, plot.whole],
  );

  return (
    <>
      <div className={classes.readout} ref={row} aria-hidden="true">
        {names.map((name, run) => (
          <span key={name} style={{ color: plot.look.colors[run], fontWeight: 600 }} data-run title={name}>
            {amountText(newest[run], plot.whole)}
          </span>
        ))}
        <span data-x style={{ color: "var(--dio-dim)" }} />
      </div>
      <Plot {...plot} lines={lines} onCursor={onCursor} />
    </>
  );
}

function valueAtCursor(plot: uPlot, series: number, whole: number | null): string | null {
  const at = plot.cursor.idxs?.[series];
  if (typeof at !== "number" || (plot.cursor.left ?? -1) < 0) {
    return null;
  }
  return amountText(plot.data[series]?.[at], whole);
}
