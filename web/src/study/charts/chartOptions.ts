import uPlot from "uplot";
import { formatCompact } from "../../shared/format";
import { amountText } from "../../shared/world/metrics";
import { formatX, type XAxis } from "../state/xAxis";
import { COLUMNS_PER_RUN, nearestValue } from "./alignedData";
import type { ChartGroup } from "./chartGroup";

export interface ChartLook {
  colors: readonly string[];
  grid: string;
  text: string;
}

interface OptionsInput {
  width: number;
  height: number;
  xAxis: XAxis;
  /** Value that stands for all of something; null where none does. */
  whole: number | null;
  look: ChartLook;
  group: ChartGroup;
  onCursor: (plot: uPlot) => void;
}

const AXIS_FONT = "11px Inter, system-ui, sans-serif";
const BAND_OPACITY = "26";
/** Labels of most charts fit this, so that charts beside each other line up. */
const USUAL_ROOM_PX = 52;
const AXIS_GAP_PX = 14;
/** Width of a digit in the font of the axes. */
const CHARACTER_PX = 6.6;

/** Returns the options of one chart of the group; column `1 + 3·i` is the line of run `i`, then its band. */
export function chartOptions({ width, height, xAxis, whole, look, group, onCursor }: OptionsInput): uPlot.Options {
  const axis = { stroke: look.text, font: AXIS_FONT, grid: { stroke: look.grid, width: 1 }, ticks: { show: false } };
  return {
    width,
    height,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    scales: { x: { time: false }, y: { range: (_plot, min, max) => valueRange(min, max) } },
    axes: [
      { ...axis, size: 26, space: 70, values: (_plot, ticks) => ticks.map((tick) => formatX(tick, xAxis)) },
      {
        ...axis,
        size: (_plot, labels) => labelRoom(labels),
        space: 30,
        values: (_plot, ticks) => ticks.map((tick) => formatTick(tick, whole)),
      },
    ],
    series: [{}, ...look.colors.flatMap(runSeries)],
    bands: look.colors.map((color, run) => ({
      series: [1 + run * COLUMNS_PER_RUN + 2, 1 + run * COLUMNS_PER_RUN + 1] as [number, number],
      fill: color + BAND_OPACITY,
    })),
    cursor: {
      y: false,
      points: { size: 7, show: true },
      drag: { x: true, y: false, setScale: false },
      sync: { key: group.syncKey, setSeries: false },
      dataIdx: (plot, series, at) => (series === 0 ? at : nearestValue(plot.data[series] ?? [], at)),
      bind: {
        dblclick: () => () => {
          group.reset();
          return null;
        },
      },
    },
    hooks: {
      setCursor: [onCursor],
      setSelect: [(plot) => zoomToSelection(plot, group)],
    },
  };
}

/** A level line gets a little room around it instead of a scale up to 100. */
function valueRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) {
    return [0, 1];
  }
  if (min === max) {
    const room = min === 0 ? 1 : Math.abs(min) * 0.1;
    return [min === 0 ? 0 : min - room, max + room];
  }
  const [low, high] = uPlot.rangeNum(min, max, 0.08, true);
  return [low ?? min, high ?? max];
}

function runSeries(color: string): uPlot.Series[] {
  const edge: uPlot.Series = { width: 0, spanGaps: true, points: { show: false } };
  return [{ stroke: color, width: 1.75, spanGaps: true, points: { show: false } }, edge, edge];
}

function zoomToSelection(plot: uPlot, group: ChartGroup): void {
  if (plot.select.width < 4) {
    return;
  }
  const min = plot.posToVal(plot.select.left, "x");
  const max = plot.posToVal(plot.select.left + plot.select.width, "x");
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  group.zoom(min, max);
}

function formatTick(tick: number, whole: number | null): string {
  return whole === null && Math.abs(tick) >= 10_000 ? formatCompact(tick) : amountText(tick, whole);
}

/** Returns the width that labels of the vertical axis need; tiny numbers such as 1.4 × 10⁻⁷ need more than most. */
export function labelRoom(labels: readonly string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
  return Math.max(USUAL_ROOM_PX, Math.ceil(longest * CHARACTER_PX) + AXIS_GAP_PX);
}
