import { expect, it } from "vitest";
import { giveOrder, noOrders, ordersAfter, possibleOrders } from "./orders";

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
