import { expect, it } from "vitest";
import { eventTone } from "./events";

it("feels dangers, gains and ordinary work apart", () => {
  expect(["destroyed", "fracture", "sell", "travel"].map(eventTone)).toEqual(["bad", "warn", "good", "plain"]);
});
