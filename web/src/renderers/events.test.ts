import { expect, it } from "vitest";
import { eventTone, tellingEvents } from "./events";

it("feels dangers, gains and ordinary work apart", () => {
  expect(["destroyed", "fracture", "sell", "travel"].map(eventTone)).toEqual(["bad", "warn", "good", "plain"]);
});

it("leaves out what comes with every step, and tells the rest once", () => {
  const names = ["EPOCH_COMPLETED", "SEED_STAGE_CHANGED", "SEED_STAGE_CHANGED", "sell"];
  expect(tellingEvents(names)).toEqual(["SEED_STAGE_CHANGED", "sell"]);
});
