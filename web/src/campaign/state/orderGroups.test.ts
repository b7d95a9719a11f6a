import { expect, it } from "vitest";
import { groupOrders } from "./orderGroups";
import { fleetOf, orderOf, viewOf } from "./testing";

const view = viewOf({
  fleets: [fleetOf({ id: "fleet-1", name: "First Fleet" }), fleetOf({ id: "fleet-2", name: "Second Fleet" })],
  orders: [
    orderOf("propose haven BUILD corvette", "haven: propose the building of a corvette", "policy"),
    orderOf("move fleet-1 narrows", "First Fleet: sail to Narrows (about 3 days)"),
    orderOf("mission 4 fleet-2", "Second Fleet: take the mission"),
    orderOf("move fleet-2 narrows", "Second Fleet: sail to Narrows (about 4 days)"),
    orderOf("accept 8", "accept the offer", "free"),
    orderOf("offer port TRADE", "offer trade", "policy"),
    orderOf("goods route-1 out FOOD 450", "send 450 food", "free"),
  ],
});

it("puts answers first and orders under what they are about", () => {
  const groups = groupOrders(view, "", null);
  expect(groups.map(({ title, orders }) => [title, orders.length])).toEqual([
    ["Answers", 1],
    ["First Fleet", 1],
    ["Second Fleet", 2],
    ["Policy of haven", 1],
    ["Diplomacy", 1],
    ["Trade routes", 1],
  ]);
  expect(groups[1]?.orders[0]?.text).toBe("Sail to Narrows (about 3 days)");
  expect(groups[3]?.orders[0]?.text).toBe("Propose the building of a corvette");
});

it("brings up what is chosen on the map, after what others wait for", () => {
  expect(
    groupOrders(view, "", "fleet-2")
      .map(({ title }) => title)
      .slice(0, 2),
  ).toEqual(["Answers", "Second Fleet"]);
});

it("finds orders by words in any order", () => {
  const found = groupOrders(view, "narrows second", null);
  expect(found.flatMap(({ orders }) => orders.map(({ order }) => order.code))).toEqual(["move fleet-2 narrows"]);
  expect(groupOrders(view, "atlantis", null)).toEqual([]);
});
