import { isInside } from "./layout";
import { type CitizenState, citizenAt, type Tile, type TownletState } from "./state";

/** What somebody has in mind who points at a thing. */
const SERVED_BY: Readonly<Record<string, string>> = {
  bed: "Sleep",
  fridge: "GetFed",
  stove: "GetFed",
  shower: "GetClean",
  till: "ShopGroceries",
  bench: "Socialise",
};

/** Returns the action that a click on a tile stands for, to whoever leads a citizen; null for none. */
export function pickAt(state: TownletState, tile: Tile): string | null {
  const citizen = citizenAt(state, state.seat ?? undefined);
  if (citizen === undefined) {
    return null;
  }
  return state.action_level === "option" ? planAt(state, citizen, tile) : stepTo(state, citizen, tile);
}

function planAt({ map }: TownletState, citizen: CitizenState, tile: Tile): string | null {
  const object = map.objects.find(([, , , x, y]) => x === tile[0] && y === tile[1]);
  if (object !== undefined) {
    return SERVED_BY[object[1]] ?? null;
  }
  const zone = map.zones.findIndex(({ rect }) => isInside(rect, tile));
  const workplace = citizen.job === null ? undefined : map.jobs[citizen.job]?.[1];
  return zone < 0 ? null : zone === workplace ? "GoToWork" : map.zones[zone]?.door === null ? "Socialise" : null;
}

/** One step toward a tile along the longer way, or the use of what stands there and can be touched. */
function stepTo({ map }: TownletState, { at }: CitizenState, tile: Tile): string {
  const [dx, dy] = [tile[0] - at[0], tile[1] - at[1]];
  const isThing = map.objects.some(([, , , x, y]) => x === tile[0] && y === tile[1]);
  if (isThing && Math.abs(dx) + Math.abs(dy) === 1) {
    return "Interact0";
  }
  if (dx === 0 && dy === 0) {
    return "Wait";
  }
  return Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "MoveEast" : "MoveWest") : dy > 0 ? "MoveSouth" : "MoveNorth";
}
