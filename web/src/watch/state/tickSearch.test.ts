import { expect, it } from "vitest";
import { frameAtTick } from "./tickSearch";

function replay(dts: readonly number[]) {
  let t = 0;
  const times = dts.map((dt) => {
    t += dt;
    return t;
  });
  let looks = 0;
  const look = (index: number) => {
    looks += 1;
    return Promise.resolve(times[index] ?? Number.NaN);
  };
  return { times, look, count: () => looks };
}

it("finds every tick of an uneven replay", async () => {
  const { times, look } = replay(Array.from({ length: 500 }, (_, index) => 1 + ((index * 7) % 8)));
  const total = times.at(-1) ?? 0;
  for (const tick of [1, 2, 5, 99, 250, 251, 1000, total - 1, total]) {
    const found = await frameAtTick(tick, times.length, total, look);
    expect(times[found]).toBeGreaterThanOrEqual(tick);
    expect(found === 0 || (times[found - 1] ?? 0) < tick).toBe(true);
  }
});

it("looks at few frames of a long replay whose pace changes", async () => {
  const { times, look, count } = replay(Array.from({ length: 50_000 }, (_, index) => (index < 40_000 ? 1 : 8)));
  await frameAtTick(39_000, times.length, times.at(-1) ?? 0, look);
  expect(count()).toBeLessThanOrEqual(24);
});

it("answers the ends without looking", async () => {
  const { look, count } = replay([1, 1, 1]);
  expect(await frameAtTick(0, 3, 3, look)).toBe(0);
  expect(await frameAtTick(99, 3, 3, look)).toBe(2);
  expect(count()).toBe(0);
});
