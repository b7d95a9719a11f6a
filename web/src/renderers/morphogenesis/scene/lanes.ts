import type { MorphogenesisState, SeedState } from "../state";
import type { Art } from "./art";
import type { Scale } from "./chart";
import type { Box } from "./layout";
import { draw, write } from "./svg";

export const LANE = 14;

export interface Span {
  from: number;
  to: number;
  /** Null for stages that are no longer known. */
  stage: string | null;
}

/** Returns the life of a seed as it is known: planting, what was, the stage before the present one, the present. */
export function spansOf(seed: SeedState, stage: string, epoch: number): Span[] {
  const planted = epoch - seed.age;
  const entered = epoch - seed.epochs_in_stage;
  const before = Math.max(planted, entered - seed.previous_epochs);
  return [
    { from: planted, to: before, stage: null },
    { from: before, to: entered, stage: seed.previous_stage },
    { from: entered, to: epoch, stage },
  ].filter(({ from, to }) => to > from);
}

/** Draws one lane per slot under the chart, on the chart's epochs. */
export function drawLanes(state: MorphogenesisState, box: Box, left: number, { x }: Scale, art: Art): SVGElement {
  const lanes = state.slots.map(({ slot_id, stage, seed }, place) => {
    const y = box.y + place * LANE;
    return draw(
      "g",
      {},
      write(slot_id, left + 34, y + 9, { class: "dim", "text-anchor": "end" }),
      draw("rect", { x: box.x, y: y + 2, width: box.width, height: LANE - 5, rx: 2, class: "track" }),
      ...(seed === null ? [] : spansOf(seed, stage, state.epoch)).map((span) =>
        draw("rect", {
          x: x(span.from),
          y: y + 2,
          width: Math.max(1, x(span.to) - x(span.from)),
          height: LANE - 5,
          rx: 2,
          fill: art.stageColor(span.stage ?? "dormant"),
          opacity: span.stage === null ? 0.45 : 1,
        }),
      ),
    );
  });
  return draw("g", { class: "lanes" }, ...lanes);
}
