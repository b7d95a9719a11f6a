import { expect, test } from "vitest";
import type { WorldDescriptor } from "../../api/types";
import { windowRow } from "../../shared/testing";
import { latestKpis } from "./latestKpis";

const DESCRIPTOR = {
  headline: ["losses"],
  metrics: [{ key: "losses", label: "Losses", unit: "", better: "lower", aggregate: "episode_final_rate" }],
} as unknown as WorldDescriptor;

test("the newest window is compared with the one before", () => {
  const windows = [
    windowRow({ window_id: 0, return_mean: 1, losses_mean: 0.5 }),
    windowRow({ window_id: 1, return_mean: 3, losses_mean: 0.25 }),
  ];

  const [ret, losses] = latestKpis(windows, DESCRIPTOR);

  expect(ret).toEqual({ label: "Return", value: 3, delta: 2, isBetter: true, whole: null });
  expect(losses).toEqual({ label: "Losses", value: 0.25, delta: -0.25, isBetter: true, whole: 1 });
});

test("without a window before there is no change", () => {
  expect(latestKpis([windowRow({ window_id: 0, return_mean: 1 })], undefined)[0]).toMatchObject({
    delta: null,
    isBetter: null,
  });
  expect(latestKpis([], undefined)).toEqual([]);
});
