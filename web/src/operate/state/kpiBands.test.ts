import { expect, it } from "vitest";
import { bandOf } from "./kpiBands";

const fed = { better: "higher", amber: 0.7, red: 0.5 };
const exits = { better: "lower", amber: 2, red: 3, at: true };

it.each([
  [0.7, fed, "good"],
  [0.69, fed, "amber"],
  [0.4, fed, "red"],
  [1, exits, "good"],
  [2, exits, "amber"],
  [3, exits, "red"],
  [1, {}, null],
  [null, fed, null],
])("judges %s by %j as %s", (value, target, band) => {
  expect(bandOf(value, target)).toBe(band);
});
