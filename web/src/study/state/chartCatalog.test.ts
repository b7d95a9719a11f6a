import { expect, test } from "vitest";
import type { WorldDescriptor } from "../../api/types";
import { windowRow } from "../../shared/testing";
import { chartCatalog, chartsWithData } from "./chartCatalog";

const DESCRIPTOR = {
  headline: ["profit"],
  risk_metrics: ["heat"],
  metrics: [
    { key: "heat", label: "Heat", unit: "K", better: "lower", aggregate: "episode_final_mean" },
    { key: "profit", label: "Profit", unit: "cr", better: "higher", aggregate: "episode_final_mean" },
    { key: "alive", label: "Alive", unit: "", better: "higher", aggregate: "episode_final_rate" },
  ],
} as WorldDescriptor;

test("a world's metrics take the places its descriptor gives them", () => {
  const places = Object.fromEntries(chartCatalog(DESCRIPTOR).map((chart) => [chart.field, chart.group]));

  expect(places).toMatchObject({
    return_mean: "Outcome",
    profit_mean: "Outcome",
    heat_mean: "Risk and efficiency",
    alive_mean: "Other metrics",
  });
});

test("shares and rates are drawn in percent, without a unit beside the title", () => {
  const wholes = Object.fromEntries(chartCatalog(DESCRIPTOR).map(({ field, whole, unit }) => [field, [whole, unit]]));

  expect(wholes).toMatchObject({
    alive_mean: [1, ""],
    invalid_action_rate: [1, ""],
    clip_fraction: [1, ""],
    profit_mean: [null, "cr"],
  });
});

test("no field is drawn twice", () => {
  const fields = chartCatalog(DESCRIPTOR).map((chart) => chart.field);

  expect(new Set(fields).size).toBe(fields.length);
});

test("charts without a single number are left out", () => {
  const windows = [windowRow({ window_id: 0, return_mean: null, entropy: 0.5 })];

  const fields = chartsWithData(chartCatalog(DESCRIPTOR), [windows]).map((chart) => chart.field);

  expect(fields).toContain("entropy");
  expect(fields).not.toContain("return_mean");
  expect(fields).not.toContain("profit_mean");
});
