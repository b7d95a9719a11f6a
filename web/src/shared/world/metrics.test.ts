import { expect, test } from "vitest";
import type { WorldDescriptor } from "../../api/types";
import { metricChange, metricLabel, metricText } from "./metrics";

const descriptor = {
  metrics: [
    { key: "profit", label: "Net profit", unit: "credits", better: "higher", aggregate: "episode_final_mean" },
    { key: "attendance", label: "Attendance", unit: "share", better: "higher", aggregate: "episode_final_mean" },
    { key: "survival", label: "Survival", unit: "", better: "higher", aggregate: "episode_final_rate" },
    { key: "accuracy", label: "Accuracy", unit: "percent", better: "higher", aggregate: "episode_final_mean" },
  ],
} as unknown as WorldDescriptor;

test.each([
  ["profit", 12_345.6, "12,346"],
  ["attendance", 0.705, "70.5%"],
  ["survival", 1, "100%"],
  ["accuracy", 91.234, "91.2%"],
  ["accuracy", null, "–"],
  ["survival", undefined, "–"],
  ["unheard_of", 0.5, "0.5"],
])("shows %s of %s as %s", (key, value, shown) => {
  expect(metricText(descriptor, key, value)).toBe(shown);
});

test.each([
  ["profit", -12.34, "−12.3"],
  ["attendance", 0.055, "+5.5 points"],
  ["survival", 0, "0 points"],
  ["accuracy", -1.2, "−1.2 points"],
  ["accuracy", null, "–"],
  ["attendance", Number.NaN, "–"],
  ["unheard_of", 0.5, "+0.5"],
])("shows a change of %s by %s as %s", (key, change, shown) => {
  expect(metricChange(descriptor, key, change)).toBe(shown);
});

test("a metric that is not described goes by its key", () => {
  expect(metricLabel(descriptor, "profit")).toBe("Net profit");
  expect(metricLabel(descriptor, "unheard_of")).toBe("unheard_of");
  expect(metricLabel(undefined, "profit")).toBe("profit");
});
