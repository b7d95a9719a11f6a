import { expect, it } from "vitest";
import { FrameMeter } from "./FrameMeter";

it("measures over the last two seconds, however pictures come", () => {
  const meter = new FrameMeter();
  for (let frame = 0; frame <= 600; frame += 15) {
    meter.note(frame, (frame * 1000) / 60);
  }
  expect(meter.rate(10_000)).toBeCloseTo(60);
});

it("rests when nothing comes, and begins anew after a reset", () => {
  const meter = new FrameMeter();
  meter.note(100, 0);
  meter.note(160, 1000);
  expect(meter.rate(2500)).toBe(0);
  meter.note(0, 1100);
  meter.note(6, 1200);
  expect(meter.rate(1200)).toBeCloseTo(60);
});
