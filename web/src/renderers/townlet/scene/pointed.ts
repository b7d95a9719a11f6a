import { formatWholePercent } from "../../../shared/format";
import type { Point } from "../../geometry";
import { type CitizenState, citizenAt, NEEDS, thingAt } from "../state";
import { aboutWords, coins, placeName } from "../words";
import { type Sight, toScreen } from "./sight";

const NEAR_PX = 18;

/** Returns who stands nearest to a place of the screen; undefined where nobody is near. */
export function citizenNear(sight: Sight, at: Point): CitizenState | undefined {
  const near = sight.state.citizens.flatMap((citizen) => {
    const stand = sight.stands.get(citizen.seat);
    const place = stand === undefined ? null : toScreen(sight, stand.x, stand.y - sight.person / 2);
    const away = place === null ? Number.POSITIVE_INFINITY : Math.hypot(place.x - at.x, place.y - at.y);
    return away <= Math.max(NEAR_PX, sight.look.camera.scale * 0.7) ? [{ citizen, away }] : [];
  });
  return near.sort((one, other) => one.away - other.away)[0]?.citizen;
}

/** What there is to say about a place of the screen: somebody, a thing or a zone. */
export function pointedLines(sight: Sight, at: Point): string[] | null {
  const citizen = citizenNear(sight, at);
  if (citizen !== undefined) {
    return citizenLines(sight, citizen);
  }
  const world = sight.look.camera.toWorld(at);
  const [x, y] = [Math.floor(world.x), Math.floor(-world.y)];
  const object = sight.state.map.objects.findIndex((row) => row[3] === x && row[4] === y);
  return object >= 0 ? thingLines(sight, object) : null;
}

function citizenLines({ state }: Sight, citizen: CitizenState): string[] {
  const needs = NEEDS.map((need, place) => `${need} ${formatWholePercent(citizen.needs[place] ?? 0)}`);
  const job = citizen.job === null ? "no job" : (state.map.jobs[citizen.job]?.[0] ?? "");
  return [
    `${citizen.name} ${aboutWords(state, citizen)}`,
    needs.join(" · "),
    `${placeName(job)}, ${coins(citizen.wallet)}`,
  ];
}

function thingLines({ state }: Sight, object: number): string[] {
  const [id, type] = state.map.objects[object] ?? ["", ""];
  const thing = thingAt(state, object);
  const holder = citizenAt(state, thing?.holder)?.name;
  const owner = citizenAt(state, thing?.owner)?.name;
  const waiting = (thing?.queue ?? []).map((seat) => citizenAt(state, seat)?.name ?? "?");
  const stock = Object.entries(thing?.stock ?? {}).map(([item, count]) => `${count} ${item.replaceAll("_", " ")}`);
  return [
    `${placeName(type)} (${id})`,
    ...(owner === undefined ? [] : [`Of ${owner}`]),
    ...(holder === undefined ? [] : [`${thing?.doing === undefined ? "Reserved for" : "Used by"} ${holder}`]),
    ...(waiting.length === 0 ? [] : [`Waiting: ${waiting.join(", ")}`]),
    ...(stock.length === 0 ? [] : [`In stock: ${stock.join(", ")}`]),
  ];
}
