import { expect, it } from "vitest";
import { eventTone, humanize } from "./labels";

it("turns labels into words", () => {
  expect(humanize("FOCUSED_SCAN_SELECTED")).toBe("Focused scan selected");
  expect(humanize("pirate_encounter")).toBe("Pirate encounter");
});

it("feels dangers, gains and ordinary work apart", () => {
  expect(["destroyed", "fracture", "sell", "travel"].map(eventTone)).toEqual(["bad", "warn", "good", "plain"]);
});
