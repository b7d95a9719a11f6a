import { expect, test } from "vitest";
import { diffConfigs } from "./configDiff";

test("leaves are compared by path, and a missing key is a difference", () => {
  const rows = diffConfigs([
    { ppo: { gamma: 0.99, clip: 0.2 }, seed: 0, tags: [1, 2] },
    { ppo: { gamma: 0.999, clip: 0.2 }, tags: [1, 2], extra: null },
  ]);

  expect(rows).toEqual([
    { path: "extra", values: [undefined, null], isDifferent: true },
    { path: "ppo.clip", values: [0.2, 0.2], isDifferent: false },
    { path: "ppo.gamma", values: [0.99, 0.999], isDifferent: true },
    { path: "seed", values: [0, undefined], isDifferent: true },
    {
      path: "tags",
      values: [
        [1, 2],
        [1, 2],
      ],
      isDifferent: false,
    },
  ]);
});

test("an empty branch is a value of its own", () => {
  expect(diffConfigs([{ heads: {} }, { heads: { move: 4 } }]).map((row) => row.path)).toEqual(["heads", "heads.move"]);
});

test("one run differs from nothing", () => {
  expect(diffConfigs([{ seed: 1 }]).every((row) => !row.isDifferent)).toBe(true);
});
