import { expect, it } from "vitest";
import { knownWays, layOut, REACH } from "./beltLayout";
import type { Point } from "./layout";
import type { Place } from "./memory";

/** Places by their numbers, each with the places next door. */
function belt(ways: Readonly<Record<number, readonly number[]>>): Map<number, Place> {
  return new Map(
    Object.entries(ways).map(([name, next]) => {
      const node = Number(name);
      const exits = next.map((to, slot) => ({
        slot,
        node: to,
        type: "cluster" as const,
        travel_time: 1,
        fuel_cost: 20,
        threat_est: 0.5,
      }));
      return [node, { node, type: node === 0 ? "station" : "cluster", seenAt: 1, exits, rocks: null }];
    }),
  );
}

const apart = (one: Point | undefined, other: Point | undefined) =>
  Math.hypot((one?.x ?? 0) - (other?.x ?? 0), (one?.y ?? 0) - (other?.y ?? 0));

it("tells every way once, whichever end it was seen from", () => {
  expect(knownWays(belt({ 0: [1, 2], 1: [0], 2: [0, 1] }))).toEqual([
    { from: 0, to: 1 },
    { from: 0, to: 2 },
    { from: 1, to: 2 },
  ]);
});

it("puts the station in the middle and places as far out as their shortest way is long", () => {
  const spots = layOut(belt({ 0: [1, 2], 1: [0, 2, 3], 2: [0, 1], 3: [1] }));
  const station = spots.get(0);
  expect(station).toEqual({ x: 0, y: 0 });
  expect(apart(spots.get(1), station)).toBeCloseTo(apart(spots.get(2), station));
  expect(apart(spots.get(3), station)).toBeCloseTo(2 * apart(spots.get(1), station));
  expect(apart(spots.get(3), spots.get(1))).toBeLessThan(apart(spots.get(3), spots.get(2)));
});

it("finds room for the largest belt, and keeps all of it on the chart", () => {
  const ways: Record<number, number[]> = { 0: [1, 2, 3, 4, 5, 6] };
  for (let node = 1; node < 32; node += 1) {
    ways[node] = node <= 6 ? [0, 5 * node + 2, 5 * node + 3, 5 * node + 4, 5 * node + 5].filter((to) => to < 32) : [];
  }
  const spots = [...layOut(belt(ways)).values()];
  expect(spots).toHaveLength(32);
  expect(Math.max(...spots.map((spot) => apart(spot, { x: 0, y: 0 })))).toBeLessThanOrEqual(REACH + 0.001);
  const gaps = spots.flatMap((one, index) => spots.slice(index + 1).map((other) => apart(one, other)));
  expect(Math.min(...gaps)).toBeGreaterThan(20);
});

it("also draws what hangs together with nothing that is known, and nothing at all", () => {
  expect([...layOut(belt({ 0: [], 5: [] })).keys()]).toEqual([0, 5]);
  expect(layOut(new Map()).size).toBe(0);
});
