import { expect, it } from "vitest";
import { chosenDecision } from "./choosing";

const heads = [{ options: 3 }, { options: 2 }];
const decided = { actions: [1, 0], probabilities: [0.2, 0.5, 0.3, 0, 0] };

it("takes the likeliest decision unless it draws", () => {
  expect(chosenDecision(decided, heads, null)).toEqual([1, 0]);
});

it.each([
  [0, 0],
  [0.19, 0],
  [0.21, 1],
  [0.71, 2],
  [0.999, 2],
])("draws by the odds of each head: %f gives %i", (chance, option) => {
  expect(chosenDecision(decided, heads, () => chance)).toEqual([option, 0]);
});
