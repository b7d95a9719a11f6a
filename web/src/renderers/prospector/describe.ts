import type { RenderState } from "../renderer";
import { whole } from "./format";
import { threatLevel } from "./layout";
import { asProspector, COMMODITY_TITLES, likeliestCommodity } from "./state";
import { placeDetail, placeName, placeTitle } from "./words";

/** Tells in words what the picture shows. */
export function describe(state: RenderState): string {
  const now = asProspector(state);
  const { ship } = now;
  const selected = now.asteroids.find((asteroid) => asteroid.selected);
  const sentences = [
    `The ship is at ${placeTitle(now)}: ${placeDetail(now).toLowerCase()}.`,
    `Fuel ${whole(ship.fuel)} of 1,000, hull ${whole(ship.hull)}, heat ${whole(ship.heat)}, tool ${whole(ship.tool)}, alert ${whole(ship.alert)} of 100.`,
    `Cargo ${whole(ship.cargo_total)} of 200 units, ${whole(now.credits)} credits.`,
  ];
  if (now.asteroids.length > 0) {
    sentences.push(`${now.asteroids.filter((asteroid) => asteroid.depletion < 1).length} rocks can be mined.`);
  }
  if (selected !== undefined) {
    sentences.push(
      `Rock ${selected.slot} is selected; it seems to hold mostly ${COMMODITY_TITLES[likeliestCommodity(selected)]?.toLowerCase()}.`,
    );
  }
  const ways = now.neighbors.map(
    (way) => `${way.slot}: ${placeName(way.type, way.node).toLowerCase()}, ${threatLevel(way.threat_est)} threat`,
  );
  return [...sentences, `Ways out: ${ways.join("; ")}.`].join(" ");
}
