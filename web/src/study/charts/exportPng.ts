import { saveBlob } from "../../shared/saveFile";
import type { GroupedChart } from "./chartGroup";

export interface PngLegend {
  label: string;
  color: string;
}

export interface PngColors {
  background: string;
  text: string;
}

const MARGIN = 16;
const TITLE_HEIGHT = 26;
const COLUMNS = 2;
const TITLE_FONT = "600 14px Inter, system-ui, sans-serif";
const LEGEND_FONT = "12px Inter, system-ui, sans-serif";

/** Paints charts with their titles and one legend onto a single picture and saves it. */
export async function exportPng(
  charts: readonly GroupedChart[],
  legend: readonly PngLegend[],
  colors: PngColors,
  fileName: string,
): Promise<void> {
  const canvas = document.createElement("canvas");
  const scale = window.devicePixelRatio;
  const cellWidth = Math.max(...charts.map(({ plot }) => plot.width)) + MARGIN;
  const cellHeight = Math.max(...charts.map(({ plot }) => plot.height)) + TITLE_HEIGHT + MARGIN;
  const columns = Math.min(COLUMNS, charts.length);
  canvas.width = (columns * cellWidth + MARGIN) * scale;
  canvas.height = (Math.ceil(charts.length / columns) * cellHeight + 2 * MARGIN + TITLE_HEIGHT) * scale;
  const pen = canvas.getContext("2d");
  if (pen === null) {
    throw new Error("this browser gives no canvas to paint on");
  }
  pen.scale(scale, scale);
  pen.fillStyle = colors.background;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  paintLegend(pen, legend, colors);
  charts.forEach((chart, place) => {
    const left = MARGIN + (place % columns) * cellWidth;
    const top = MARGIN + TITLE_HEIGHT + Math.floor(place / columns) * cellHeight;
    pen.fillStyle = colors.text;
    pen.font = TITLE_FONT;
    pen.fillText(chart.title, left, top + 16);
    pen.drawImage(chart.plot.ctx.canvas, left, top + TITLE_HEIGHT, chart.plot.width, chart.plot.height);
  });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob !== null) {
    saveBlob(blob, fileName);
  }
}

function paintLegend(pen: CanvasRenderingContext2D, legend: readonly PngLegend[], colors: PngColors): void {
  pen.font = LEGEND_FONT;
  let left = MARGIN;
  for (const { label, color } of legend) {
    pen.fillStyle = color;
    pen.fillRect(left, MARGIN + 4, 14, 4);
    pen.fillStyle = colors.text;
    pen.fillText(label, left + 20, MARGIN + 10);
    left += pen.measureText(label).width + 44;
  }
}
