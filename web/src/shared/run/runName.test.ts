import { expect, test } from "vitest";
import { championWorld, runName } from "./runName";

test("a champion is named for its world, a run by its id", () => {
  expect(runName("champion:prospector")).toBe("Champion of Prospector");
  expect(championWorld("champion:prospector")).toBe("prospector");
  expect(runName("my-run")).toBe("my-run");
  expect(championWorld("my-run")).toBeNull();
});
