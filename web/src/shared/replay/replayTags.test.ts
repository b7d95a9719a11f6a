import { expect, test } from "vitest";
import { shownTags } from "./replayTags";

test("the best comes first and only the highest milestone of a metric is shown", () => {
  const tags = ["every_window", "milestone:profit:100", "milestone:profit:1000", "milestone:profit:500", "best_so_far"];

  expect(shownTags(tags).map((tag) => tag.label)).toEqual(["Best so far", "profit ≥ 1,000"]);
});

test("operators' tags keep their words", () => {
  expect(shownTags(["operator:show this"])).toEqual([
    { tag: "operator:show this", kind: "operator", label: "show this" },
  ]);
});
