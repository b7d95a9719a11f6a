import { describe, expect, it } from "vitest";
import { edgesOf, isInside, keyOf, lampsOf, plantsOf, streetsOf } from "./layout";
import { sampleState } from "./sample";
import type { Tile } from "./state";

const { map } = sampleState();

describe("streets", () => {
  const streets = streetsOf(map);
  const paved = new Set(streets.map(keyOf));

  it("lead to every door, beside every open zone, and out of town", () => {
    for (const tile of [
      [5, 7],
      [15, 7],
      [16, 10],
      [0, 8],
      [-5, 8],
    ] as const) {
      expect(paved, keyOf(tile)).toContain(keyOf(tile));
    }
  });

  it("run through nothing that is built", () => {
    expect(streets.filter((tile) => map.zones.some(({ rect }) => isInside(rect, tile)))).toEqual([]);
  });

  it("hang together", () => {
    const seen = new Set<string>();
    const waiting: Tile[] = streets.slice(0, 1);
    for (let tile = waiting.pop(); tile !== undefined; tile = waiting.pop()) {
      const [x, y] = tile;
      if (paved.has(keyOf(tile)) && !seen.has(keyOf(tile))) {
        seen.add(keyOf(tile));
        waiting.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]);
      }
    }
    expect(seen.size).toBe(paved.size);
  });

  it("are none in a town without anything", () => {
    expect(streetsOf({ ...map, zones: [], spawns: [] })).toEqual([]);
  });
});

describe("what grows", () => {
  it("leaves the town free and is the same every time", () => {
    const { west, north, east, south } = edgesOf(map);
    const plants = plantsOf(map);
    const inside = plants.filter(({ x, y }) => x > west + 2 && x < east - 2 && y > north + 3 && y < south - 2);
    expect(inside.every(({ picture }) => picture === "bush" || picture.startsWith("tree"))).toBe(true);
    expect(inside.length).toBeLessThan(16);
    expect(plantsOf(map)).toEqual(plants);
  });

  it("lamps stand beside streets", () => {
    const streets = streetsOf(map);
    const paved = new Set(streets.map(keyOf));
    const lamps = lampsOf(map, streets);
    expect(lamps.length).toBeGreaterThan(0);
    expect(lamps.every(({ x, y }) => paved.has(keyOf([Math.floor(x), Math.ceil(y)])))).toBe(true);
  });
});
