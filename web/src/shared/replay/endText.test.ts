import { expect, test } from "vitest";
import { endText } from "./endText";

test.each([
  ["time_up", true, "Time up"],
  ["truncated", false, "Cut off"],
  [null, false, "Cut off"],
  [null, true, "By the rules"],
])("%s, terminated %s, reads %s", (end_reason, terminated, words) => {
  expect(endText({ end_reason, terminated })).toBe(words);
});
