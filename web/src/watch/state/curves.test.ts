import { expect, it } from "vitest";
import type { Frame, WorldDescriptor } from "../../api/types";
import { curvesOf } from "./curves";
import { Summary } from "./summary";

const DESCRIPTOR = {
  headline: ["profit", "survival"],
  metrics: [
    { key: "profit", label: "Net profit", unit: "credits", better: "higher", aggregate: "episode_final_mean" },
    { key: "survival", label: "Survival", unit: "", better: "higher", aggregate: "episode_final_rate" },
    { key: "fuel", label: "Fuel", unit: "", better: "higher", aggregate: "episode_final_mean" },
  ],
} as unknown as WorldDescriptor;

it("are the rewards so far, then the headline of the world", () => {
  const summary = new Summary(2, DESCRIPTOR.headline);
  for (const [index, reward] of [1.5, -0.5].entries()) {
    summary.add({
      frame_index: index,
      reward,
      events: [],
      render_state: { headline: { profit: 100 * index, survival: 1 } },
    } as unknown as Frame);
  }

  const curves = curvesOf(DESCRIPTOR);

  expect(curves.map(({ key, label, values }) => [key, label, ...values(summary)])).toEqual([
    ["return", "Reward, summed", 1.5, 1],
    ["profit", "Net profit", 0, 100],
    ["survival", "Survival", 1, 1],
  ]);
});

it("tell values and differences in the unit of the metric", () => {
  const told = curvesOf(DESCRIPTOR).map(({ show, showChange }) => [show(0.705), showChange(0.055), showChange(null)]);
  expect(told).toEqual([
    ["0.705", "+0.055", "–"],
    ["0.705", "+0.055", "–"],
    ["70.5%", "+5.5 points", "–"],
  ]);
});
