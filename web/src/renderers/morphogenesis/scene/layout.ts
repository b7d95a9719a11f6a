import type { Station } from "../state";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A station with its place on the line. */
export interface Placed {
  station: Station;
  x: number;
  /** Height of the line features run on. */
  y: number;
  width: number;
}

export interface Row {
  from: number;
  to: number;
  y: number;
  stations: readonly Placed[];
}

export interface Layout {
  rows: readonly Row[];
  /** Size of the network's drawing, 1 where there is room enough. */
  scale: number;
  /** Whether there is room for words under the stations. */
  hasWords: boolean;
  caption: { x: number; y: number } | null;
  chart: Box | null;
  hosts: Box | null;
}

const PAD = 14;
const TOP = 54;
/** Widths of stations at scale 1. */
const WIDTHS: Readonly<Record<Station["kind"], number>> = {
  input: 52,
  block: 60,
  layers: 60,
  pool: 36,
  slot: 100,
  output: 56,
};
const LARGEST_SCALE = 1.35;
/** Below this the line is broken into one more row. */
const SMALLEST_SCALE = 0.74;
const MOST_ROWS = 4;
/** Space a row takes at scale 1, above its line and below it. */
const ABOVE = 92;
const BELOW = 62;
const CAPTION = 24;
const CHART_SHARE = 0.36;
const LEAST_CHART = 78;
const LEAST_ROW_SCALE = 0.5;
const HOST_STRIP = 46;

/** Lays out the host as a line from left to right, in several rows where it is long, and the chart beneath. */
export function layOut(width: number, height: number, flow: readonly Station[], hostCount: number): Layout {
  const rows = breakLine(flow, width - 2 * PAD);
  const widest = Math.max(...rows.map(lengthOf));
  const hosts = hostCount > 1 && height > 380 ? HOST_STRIP : 0;
  const free = height - TOP - PAD - hosts;
  const chartHeight = Math.max(LEAST_CHART, free * CHART_SHARE);
  const tall = (free - chartHeight - CAPTION) / rows.length / (ABOVE + BELOW);
  const hasChart = tall >= LEAST_ROW_SCALE;
  const room = hasChart ? tall : free / rows.length / (ABOVE + BELOW);
  const scale = Math.min(LARGEST_SCALE, (width - 2 * PAD) / widest, Math.max(room, 0.3));
  const rowHeight = (ABOVE + BELOW) * scale;
  const used = rows.length * rowHeight + (hasChart ? CAPTION : 0);
  const chartTop = TOP + used;
  return {
    rows: rows.map((stations, index) => place(stations, index, { width, scale, rowHeight })),
    scale,
    hasWords: scale >= LEAST_ROW_SCALE,
    caption: hasChart ? { x: PAD + 4, y: chartTop - 7 } : null,
    chart: hasChart ? { x: PAD, y: chartTop, width: width - 2 * PAD, height: height - chartTop - PAD - hosts } : null,
    hosts: hosts > 0 ? { x: PAD, y: height - PAD - hosts + 8, width: width - 2 * PAD, height: hosts - 8 } : null,
  };
}

function place(
  stations: readonly Station[],
  index: number,
  { width, scale, rowHeight }: { width: number; scale: number; rowHeight: number },
): Row {
  const length = lengthOf(stations) * scale;
  const y = TOP + index * rowHeight + ABOVE * scale;
  let x = (width - length) / 2;
  const placed = stations.map((station) => {
    const own = WIDTHS[station.kind] * scale;
    x += own;
    return { station, x: x - own / 2, y, width: own };
  });
  return { from: (width - length) / 2, to: (width + length) / 2, y, stations: placed };
}

function breakLine(flow: readonly Station[], width: number): (readonly Station[])[] {
  const rows = Math.min(MOST_ROWS, Math.max(1, Math.ceil((lengthOf(flow) * SMALLEST_SCALE) / width)));
  const share = lengthOf(flow) / rows;
  const broken: Station[][] = [[]];
  let length = 0;
  for (const station of flow) {
    // A slot stays beside the station it follows.
    if (length >= share * broken.length && station.kind !== "slot" && broken.length < rows) {
      broken.push([]);
    }
    broken.at(-1)?.push(station);
    length += WIDTHS[station.kind];
  }
  return broken;
}

function lengthOf(stations: readonly Station[]): number {
  return stations.reduce((sum, { kind }) => sum + WIDTHS[kind], 0);
}
