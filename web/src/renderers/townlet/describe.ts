import type { RenderState } from "../renderer";
import { asTownlet, type PerturbationState, type TownletState } from "./state";
import { aboutWords, clock, inSentence, priceName, zoneOf } from "./words";

/** Tells in words what the picture shows. */
export function describe(state: RenderState): string {
  const now = asTownlet(state);
  const people = now.citizens.map((citizen) => {
    const zone = now.map.zones[zoneOf(now, citizen)];
    const where = zone === undefined ? "in the street" : `in ${inSentence(zone.id)}`;
    return `${citizen.name} ${aboutWords(now, citizen)} (${where})`;
  });
  const sentences = [
    `Day ${now.day + 1}, ${clock(now.tod, now.ticks_per_day)}.`,
    people.length === 0 ? "Nobody lives here." : `${people.join(", ")}.`,
    ...now.perturbations.map((event) => `${befallsWords(now, event)}.`),
  ];
  return sentences.join(" ");
}

/** What befalls the town, in a few words. */
export function befallsWords(state: TownletState, event: PerturbationState): string {
  switch (event.kind) {
    case "blackout":
      return "The power is out";
    case "outage":
      return "The water is out";
    case "price_spike": {
      const goods = event.prices.map((key) => priceName(key).toLowerCase()).join(" and ");
      return `Prices are up: ${goods} × ${event.magnitude.toFixed(1)}`;
    }
    default: {
      const names = event.seats.map((seat) => state.citizens.find((citizen) => citizen.seat === seat)?.name ?? "?");
      const zone = state.map.zones[event.zone ?? -1];
      return `${names.join(" and ")} are to meet${zone === undefined ? "" : ` in ${inSentence(zone.id)}`}`;
    }
  }
}
