import { expect, it } from "vitest";
import { areSteps, giveOrder, noOrders, ordersAfter, possibleOrders, settledOrders } from "./orders";

const HEADS = [
  { name: "throttle", options: ["astern", "stop", "flank"], noop: 1 },
  { name: "weapon", options: ["hold", "gun"], noop: 0 },
  { name: "support", options: ["none", "decoy"], noop: 0 },
];
const STANDING = ["throttle", "weapon"];
const full = giveOrder(HEADS, giveOrder(HEADS, giveOrder(HEADS, noOrders(HEADS), 2), 4), 6);

it("gives one order per head and leaves the others alone", () => {
  expect(noOrders(HEADS)).toEqual([1, 0, 0]);
  expect(full).toEqual([2, 1, 1]);
});

it("keeps standing orders in force and forgets what was carried out", () => {
  expect(ordersAfter(HEADS, STANDING, full, [2, 1, 1])).toEqual([2, 1, 0]);
});

it("keeps an order that was given too late for the step", () => {
  expect(ordersAfter(HEADS, STANDING, full, [2, 1, 0])).toBe(full);
});

it("holds back what is not possible yet without forgetting it", () => {
  expect(possibleOrders(HEADS, full, [1, 1, 1, 1, 0, 1, 1])).toEqual([2, 0, 1]);
});

it("sends what alone is possible where even the no-op is not", () => {
  expect(possibleOrders(HEADS, full, [1, 0, 0, 0, 1, 1, 1])).toEqual([0, 1, 1]);
  expect(possibleOrders(HEADS, full, [0, 0, 0, 0, 0, 0, 0])).toEqual([1, 0, 0]);
});

it("settles a decision: the no-op where a head does not matter, else what is ordered or the first that can be", () => {
  const open = (closed: readonly number[]) => (index: number) => !closed.includes(index);
  expect(settledOrders(HEADS, full, ["weapon"], open([]))).toEqual([1, 1, 0]);
  expect(settledOrders(HEADS, full, ["throttle", "weapon"], open([2, 1, 4]))).toEqual([0, 0, 0]);
});

it("takes the orders of a single head that are carried out once for steps", () => {
  const walk = [{ name: "primitive", options: ["wait", "north"], noop: 0 }];
  expect(areSteps(walk, ["option"])).toBe(true);
  expect(areSteps(walk, ["primitive"])).toBe(false);
  expect(areSteps(walk, undefined)).toBe(false);
  expect(areSteps(HEADS, [])).toBe(false);
});
