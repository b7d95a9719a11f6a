import { describe, expect, it } from "vitest";
import { fleetMarks, layOut, routePoints } from "./chart";
import { fleetOf, mapNode, viewOf } from "./testing";

const NODES = [
  mapNode({ id: "west", x_km: -100, y_km: -50 }),
  mapNode({ id: "east", x_km: 300, y_km: 50 }),
  mapNode({ id: "middle", x_km: 100, y_km: 0 }),
];
const chart = layOut(NODES, 1000, 600);

describe("the chart", () => {
  it("keeps every node inside the picture, east to the right and north up", () => {
    const [west, east] = [chart.places.get("west"), chart.places.get("east")];
    for (const { x, y } of chart.places.values()) {
      expect(x).toBeGreaterThan(40);
      expect(x).toBeLessThan(960);
      expect(y).toBeGreaterThan(20);
      expect(y).toBeLessThan(580);
    }
    expect(west?.x).toBeLessThan(east?.x ?? 0);
    expect(west?.y).toBeGreaterThan(east?.y ?? 0);
  });

  it("survives nodes in one line", () => {
    const flat = layOut([mapNode({ id: "a", x_km: 0 }), mapNode({ id: "b", x_km: 10 })], 400, 300);
    expect([...flat.places.values()].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });

  it("sets fleets at one node beside each other", () => {
    const fleets = [fleetOf({ id: "one", node: "middle" }), fleetOf({ id: "two", node: "middle" })];
    const [first, second] = fleetMarks(viewOf({ nodes: NODES, fleets }), chart);
    expect(first?.y).toBe(second?.y);
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeGreaterThan(30);
    expect(first?.isAtSea).toBe(false);
  });

  it("moves a fleet along its lane as the days go by", () => {
    const lanes = [{ a: "east", b: "west", days: 4, is_chokepoint: false }];
    const at = (days_left: number) => {
      const fleets = [fleetOf({ id: "one", passage: { origin: "west", target: "east", days_left } })];
      return fleetMarks(viewOf({ nodes: NODES, lanes, fleets }), chart)[0]?.x ?? 0;
    };
    expect(at(3)).toBeLessThan(at(2));
    expect(at(2)).toBeCloseTo(500);
    expect(at(2)).toBeLessThan(at(1));
  });

  it("draws routes on one lane beside each other", () => {
    const route = {
      id: "route-1",
      name: "",
      kind: "CONVOY",
      origin: "west",
      destination: "east",
      path: ["west", "middle", "gone", "east"],
      capacity: 1,
      goods: {},
      goods_back: {},
      moved: {},
      moved_back: {},
      status: "OPEN" as const,
      threat: 0,
    };
    expect(routePoints(route, chart, 0).split(" ")).toHaveLength(3);
    expect(routePoints(route, chart, 0)).not.toBe(routePoints(route, chart, 1));
  });
});
