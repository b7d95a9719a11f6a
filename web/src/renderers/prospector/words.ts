import { formatCount } from "../../shared/format";
import { isAlive, isAtStation, type NodeType, type ProspectorState } from "./state";

export const PLACE_NAMES: Readonly<Record<NodeType, string>> = {
  station: "Station",
  cluster: "Rock cluster",
  hazard: "Hazard field",
};

/** Above this heat the hull burns, at the station as anywhere. */
const HEAT_MAX = 100;

export function placeName(type: NodeType, node: number): string {
  return type === "station" ? PLACE_NAMES.station : `${PLACE_NAMES[type]} ${node}`;
}

export function placeTitle({ node }: ProspectorState): string {
  return placeName(node.type, node.index);
}

/** Says how the ship is off where it is. */
export function placeDetail(state: ProspectorState): string {
  if (!isAlive(state)) {
    return "The ship is lost";
  }
  if (isAtStation(state)) {
    return state.ship.heat > HEAT_MAX ? "Docked, but the hull burns" : "Docked and safe";
  }
  const left = state.asteroids.filter((asteroid) => asteroid.depletion < 1).length;
  return `${formatCount(left, "rock")} to dig, ${formatCount(state.node.steps_to_station, "leg")} from the station`;
}
