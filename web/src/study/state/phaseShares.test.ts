import { expect, test } from "vitest";
import { windowRow } from "../../shared/testing";
import { phaseShares } from "./phaseShares";

test("rows without phase times have no shares", () => {
  expect(phaseShares([windowRow({ window_id: 0 })])).toBeNull();
  expect(phaseShares([])).toBeNull();
});

test("what no phase claims is other, and shares add up to one", () => {
  const timed = { seconds_env: 1, seconds_policy: 0.5, seconds_learn: 2, wall_seconds: 4 };

  const shares = phaseShares([windowRow({ window_id: 0 }), windowRow({ window_id: 1, ...timed })]) ?? [];

  expect(shares.map(({ label, share }) => [label, share])).toEqual([
    ["World", 0.25],
    ["Policy", 0.125],
    ["Learning", 0.5],
    ["Other", 0.125],
  ]);
});

test("phases that overlap the wall time still add up to one", () => {
  const timed = { seconds_env: 3, seconds_policy: 3, seconds_learn: 2, wall_seconds: 4 };

  const shares = phaseShares([windowRow({ window_id: 0, ...timed })]) ?? [];

  expect(shares.reduce((total, phase) => total + phase.share, 0)).toBeCloseTo(1);
});
