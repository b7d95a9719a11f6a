import type { MorphogenesisState } from "../state";
import type { ChartKind } from "../tools";
import { percent, points, sideOf } from "../words";
import type { Art } from "./art";
import { drawLanes, LANE } from "./lanes";
import type { Box } from "./layout";
import { draw, round, write } from "./svg";

const LEFT = 40;
const HEAD = 20;
const FOOT = 16;
const PARAMS_WIDTH = 520;

export interface Scale {
  x: (epoch: number) => number;
  y: (value: number) => number;
  low: number;
  high: number;
}

type Values = readonly (number | null)[];

/** Draws the episode so far: the host beside its twin, or one of the other numbers, and the lives of the seeds. */
export function drawChart(
  state: MorphogenesisState,
  kind: ChartKind,
  hasLanes: boolean,
  box: Box,
  art: Art,
): SVGElement {
  const lanes = hasLanes && box.height > 96 + state.slots.length * LANE ? state.slots.length * LANE + 4 : 0;
  const plot = { x: box.x + LEFT, y: box.y + HEAD, width: box.width - LEFT, height: box.height - HEAD - FOOT - lanes };
  const { own, twin } = linesOf(state, kind);
  const scale = scaleOf([...own, ...twin], state.max_epochs, plot, kind);
  return draw(
    "g",
    { class: "chart" },
    ...axes(scale, plot, state.max_epochs, lanes),
    ...between(own, twin, scale, art),
    draw("path", { d: path(twin, scale), class: "line twin", stroke: art.color("line.control") }),
    draw("path", { d: path(own, scale), class: "line own", stroke: art.color("line.host") }),
    now(own, scale, art),
    title(state, kind, box, art),
    box.width > PARAMS_WIDTH ? params(state, box, art) : null,
    lanes > 0
      ? drawLanes(state, { ...plot, y: plot.y + plot.height + FOOT + 2, height: lanes }, box.x, scale, art)
      : null,
  );
}

function linesOf({ history }: MorphogenesisState, kind: ChartKind): { own: Values; twin: Values } {
  switch (kind) {
    case "accuracy":
      return { own: history.accuracy, twin: history.control };
    case "loss":
      return { own: history.loss, twin: [] };
    default:
      return { own: history.reward, twin: [] };
  }
}

/** Returns a scale that holds all values; accuracies get round tens. */
export function scaleOf(values: Values, epochs: number, plot: Box, kind: ChartKind): Scale {
  const known = values.filter((value) => value !== null);
  const step = kind === "accuracy" ? 10 : niceStep(known);
  const low = Math.floor(Math.min(0, ...known) / step) * step;
  const high = Math.max(low + step, Math.ceil(Math.max(...known, low + step) / step) * step);
  return {
    low,
    high,
    x: (epoch) => plot.x + ((epoch - 1) / Math.max(1, epochs - 1)) * plot.width,
    y: (value) => plot.y + (1 - (value - low) / (high - low)) * plot.height,
  };
}

function niceStep(values: readonly number[]): number {
  const span = Math.max(...values, 0) - Math.min(...values, 0);
  return span <= 0 || !Number.isFinite(span) ? 1 : 10 ** Math.floor(Math.log10(span));
}

/** Returns the line through values from the first epoch on; it breaks where nothing was measured. */
export function path(values: Values, { x, y }: Scale): string {
  let isDown = false;
  return values
    .map((value, place) => {
      if (value === null) {
        isDown = false;
        return "";
      }
      const pen = isDown ? "L" : "M";
      isDown = true;
      return `${pen}${round(x(place + 1))} ${round(y(value))}`;
    })
    .join("");
}

/** Fills what lies between host and twin, by who is ahead. */
function between(own: Values, twin: Values, { x, y }: Scale, art: Art): SVGElement[] {
  return own.slice(1).flatMap((value, place) => {
    const [before, control, controlBefore] = [own[place], twin[place + 1], twin[place]];
    if (value === null || before == null || control == null || controlBefore == null) {
      return [];
    }
    const [left, right] = [x(place + 1), x(place + 2)];
    const isAhead = value + before >= control + controlBefore;
    const corners = [left, y(before), right, y(value), right, y(control), left, y(controlBefore)].map(round);
    return [
      draw("polygon", {
        points: corners.join(" "),
        fill: art.color(isAhead ? "gain.positive" : "gain.negative"),
        class: "gain",
      }),
    ];
  });
}

function axes({ low, high, x, y }: Scale, plot: Box, epochs: number, lanes: number): SVGElement[] {
  const levels = [low, (low + high) / 2, high];
  const marks = [1, Math.round(epochs / 4), Math.round(epochs / 2), Math.round((3 * epochs) / 4), epochs];
  return [
    ...levels.flatMap((value) => [
      draw("path", { d: `M${round(plot.x)} ${round(y(value))}h${round(plot.width)}`, class: "grid" }),
      write(`${round(value)}`, plot.x - 6, y(value) + 3.5, { class: "dim", "text-anchor": "end" }),
    ]),
    ...[...new Set(marks)].map((epoch) =>
      write(`${epoch}`, x(epoch), plot.y + plot.height + FOOT - 2, {
        class: "dim",
        "text-anchor": epoch === epochs ? "end" : "middle",
      }),
    ),
    ...(lanes > 0
      ? []
      : [write("epoch", plot.x - 6, plot.y + plot.height + FOOT - 2, { class: "dim", "text-anchor": "end" })]),
  ];
}

function now(own: Values, { x, y }: Scale, art: Art): SVGElement | null {
  const last = own.at(-1);
  return last == null
    ? null
    : draw("circle", { cx: x(own.length), cy: y(last), r: 4, class: "head", fill: art.color("line.host") });
}

function title(state: MorphogenesisState, kind: ChartKind, { x, y }: Box, art: Art): SVGElement {
  const span = (text: string, attributes: Record<string, string> = {}) => draw("tspan", attributes, text);
  const parts = {
    accuracy: () => [
      span("● ", { fill: art.color("line.host") }),
      span(`host ${percent(state.accuracy)}   `),
      ...(state.control_accuracy === null
        ? []
        : [
            span("● ", { fill: art.color("line.control") }),
            span(`twin ${percent(state.control_accuracy)}   `),
            span(points(state.gain), { class: sideOf(state.gain) }),
          ]),
    ],
    loss: () => [span("Validation loss, nats")],
    reward: () => [span("Reward of every decision")],
  } as const;
  return draw("text", { x: x + 2, y: y + 11, class: "title" }, ...parts[kind]());
}

/** How much of the parameter budget the host and its seeds take. */
function params({ host_params, total_params, param_budget }: MorphogenesisState, box: Box, art: Art): SVGElement {
  const width = 110;
  const left = box.x + box.width - width;
  const share = (count: number) => Math.min(1, count / param_budget) * width;
  const text = `${total_params.toLocaleString("en")} of ${param_budget.toLocaleString("en")} parameters`;
  const bar = (x: number, length: number, fill: string) =>
    draw("rect", { x, y: box.y + 3, width: Math.max(0, length), height: 8, rx: 2, fill });
  return draw(
    "g",
    { class: "params" },
    write(text, left - 8, box.y + 11, { class: "title", "text-anchor": "end" }),
    draw("rect", { x: left, y: box.y + 3, width, height: 8, rx: 3, class: "track" }),
    bar(left, share(total_params), art.color("params.seeds")),
    bar(left, share(host_params), art.color("params.host")),
  );
}
