import { capitalize } from "../../shared/capitalize";
import type { CampaignView, Order } from "./view";

export interface OrderGroup {
  key: string;
  title: string;
  /** What the group is about, so that a selected hub or fleet brings it to the top. */
  subject: string | null;
  orders: { order: Order; text: string }[];
}

const ANSWERS = new Set(["accept", "decline", "siege"]);
const FLEET_FIRST = new Set(["move", "stance", "split", "merge", "invade"]);

/** Puts the orders of a day into groups that people look for: answers first, then fleets, policy, and the rest. */
export function groupOrders(view: CampaignView, wanted: string, selected: string | null): OrderGroup[] {
  const groups = new Map<string, OrderGroup>();
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  for (const order of view.orders) {
    const group = groupOf(order, view);
    const told = `${group.title} ${order.text} ${order.code}`.toLowerCase();
    if (words.every((word) => told.includes(word))) {
      const known = groups.get(group.key) ?? { ...group, orders: [] };
      known.orders.push({ order, text: withoutSubject(order.text, group.title) });
      groups.set(group.key, known);
    }
  }
  return [...groups.values()].sort((one, other) => rank(one, selected) - rank(other, selected));
}

function isAbout(group: OrderGroup, selected: string | null): boolean {
  return selected !== null && group.subject === selected;
}

const CHOSEN = 0.5;
const RANKS = ["answers", "fleet", "policy", "diplomacy", "trade", "people"];

/** What others wait for comes first, then what is chosen on the map. */
function rank(group: OrderGroup, selected: string | null): number {
  const place = RANKS.indexOf(group.key.split(":")[0] ?? "");
  return place > 0 && isAbout(group, selected) ? CHOSEN : place;
}

function groupOf(order: Order, view: CampaignView): Omit<OrderGroup, "orders"> {
  const [first = "", second = ""] = order.arguments;
  if (ANSWERS.has(order.verb)) {
    return { key: "answers", title: "Answers", subject: null };
  }
  if (FLEET_FIRST.has(order.verb) || order.verb === "mission") {
    const id = order.verb === "mission" ? second : first;
    const name = view.fleets.find((fleet) => fleet.id === id)?.name ?? id;
    return { key: `fleet:${id}`, title: name, subject: id };
  }
  if (order.verb === "propose" || order.verb === "press") {
    const name = view.hubs.find((hub) => hub.id === first)?.name ?? first;
    return { key: `policy:${first}`, title: `Policy of ${name}`, subject: first };
  }
  if (order.verb === "goods") {
    return { key: "trade", title: "Trade routes", subject: null };
  }
  return order.verb === "dismiss"
    ? { key: "people", title: "People", subject: null }
    : { key: "diplomacy", title: "Diplomacy", subject: null };
}

/** "First Accord Fleet: sail to Bastion" is "Sail to Bastion" under the name of the fleet. */
function withoutSubject(text: string, title: string): string {
  const [subject = "", ...rest] = text.split(": ");
  return capitalize(rest.length > 0 && title.endsWith(subject) ? rest.join(": ") : text);
}
