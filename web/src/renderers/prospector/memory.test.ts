import { expect, it, describe as suite } from "vitest";
import { knownPlaces, lastDocked, noteOf, priceCourse } from "./memory";
import { sampleState } from "./sample";
import type { NeighborState, ProspectorState } from "./state";

const FIELD = sampleState();
const exit = (node: number, type: NeighborState["type"]): NeighborState => ({
  slot: 0,
  node,
  type,
  travel_time: 3,
  fuel_cost: 40,
  threat_est: 0.5,
});

function at(time: number, node: number, changes: Partial<ProspectorState> = {}): ProspectorState {
  const type = node === 0 ? "station" : "cluster";
  return sampleState({ time, node: { index: node, type, steps_to_station: node === 0 ? 0 : 1 }, ...changes });
}

suite("what the pilot remembers of the belt", () => {
  const docked = at(0, 0, { neighbors: [exit(4, "cluster"), exit(7, "hazard")], asteroids: [] });
  const fresh = at(4, 4, { neighbors: [exit(0, "station"), exit(9, "cluster")] });
  const mined = at(9, 4, {
    neighbors: [exit(0, "station"), exit(9, "cluster")],
    asteroids: FIELD.asteroids.map((rock) => ({ ...rock, depletion: 1 })),
  });

  it("is every place as it was last seen, and the places next door by name alone", () => {
    const places = knownPlaces([docked, fresh, mined].map(noteOf));
    expect([...places.keys()]).toEqual([0, 4, 7, 9]);
    expect(places.get(4)).toMatchObject({ seenAt: 9, rocks: { total: 2, left: 0, best: null } });
    expect(places.get(9)).toEqual({ node: 9, type: "cluster", seenAt: null, exits: [], rocks: null });
  });

  it("holds nothing of what comes later", () => {
    const places = knownPlaces([docked].map(noteOf));
    expect([...places.keys()]).toEqual([0, 4, 7]);
    expect(places.get(4)?.seenAt).toBeNull();
  });

  it("tells the best known rock that is left", () => {
    expect(noteOf(fresh).rocks).toEqual({ total: 2, left: 2, best: { commodity: 2, known: 0.5 } });
  });
});

suite("what the pilot remembers of the market", () => {
  const priced = (time: number, node: number, iron: number) =>
    noteOf(at(time, node, { market: { ...FIELD.market, price: [iron, 55, 85, 145, 210, 120] } }));

  it("is how it was when the ship was docked last", () => {
    const notes = [priced(0, 0, 40), priced(5, 0, 42), priced(9, 4, 50)];
    expect(lastDocked(notes)).toMatchObject({ tick: 5, price: [42, 55, 85, 145, 210, 120] });
    expect(lastDocked([priced(9, 4, 50)])).toBeNull();
  });

  it("is no docking where the ship was lost on its way in", () => {
    expect(lastDocked([noteOf(at(3, 0, { survival: 0 }))])).toBeNull();
  });

  it("is the course of a price, by time and not by decisions", () => {
    const notes = [priced(0, 0, 10), priced(8, 4, 20), priced(10, 4, 30)];
    const { prices, ticks } = priceCourse(notes, 0);
    expect(ticks).toBe(10);
    expect(prices).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 20, 20, 30]);
  });

  it("goes back 400 ticks", () => {
    const { prices, ticks } = priceCourse([priced(0, 0, 10), priced(700, 4, 20), priced(1000, 4, 30)], 0);
    expect([ticks, prices.length, prices[0], prices.at(-1)]).toEqual([400, 64, 10, 30]);
    expect(priceCourse([], 0)).toEqual({ prices: [], ticks: 0 });
    expect(priceCourse([priced(5, 0, 10)], 0)).toEqual({ prices: [10], ticks: 0 });
  });
});
