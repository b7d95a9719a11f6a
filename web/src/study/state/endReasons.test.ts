import { expect, test } from "vitest";
import { windowRow } from "../../shared/testing";
import { endReasonShares } from "./endReasons";

test("reasons add up over windows, the most common first", () => {
  const windows = [
    windowRow({ window_id: 0, end_reason_counts: { stranded: 1, time_up: 2 } }),
    windowRow({ window_id: 1, end_reason_counts: { time_up: 1 } }),
  ];

  expect(endReasonShares(windows)).toEqual([
    { reason: "time_up", count: 3, share: 0.75 },
    { reason: "stranded", count: 1, share: 0.25 },
  ]);
});

test("no episode, no reasons", () => {
  expect(endReasonShares([windowRow({ window_id: 0 })])).toEqual([]);
});
