import { expect, it } from "vitest";
import { humanize } from "./labels";

it("turns labels into words", () => {
  expect(humanize("FOCUSED_SCAN_SELECTED")).toBe("Focused scan selected");
  expect(humanize("pirate_encounter")).toBe("Pirate encounter");
});
