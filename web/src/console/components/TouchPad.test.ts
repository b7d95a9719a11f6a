import { expect, it } from "vitest";
import { directionsAt } from "./TouchPad";

it.each([
  [0, 0, []],
  [0.4, 0, ["right"]],
  [-0.4, 0.1, ["left"]],
  [0.05, -0.4, ["up"]],
  [0.3, 0.3, ["right", "down"]],
  [-0.3, -0.3, ["left", "up"]],
])("a finger at %d, %d presses %j", (x, y, expected) => {
  expect(directionsAt(x, y)).toEqual(expected);
});
