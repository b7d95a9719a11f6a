import { around, type Point } from "./layout";
import type { Place } from "./memory";

const STATION = 0;
const ORIGIN: Point = { x: 0, y: 0 };
/** Units from the station to the farthest place, at most. */
export const REACH = 142;
const RING_MOST = 84;
/** Units from the middle of a place to that of the next. */
const ROOM = 22;

/** A way between two known places, whichever end it was seen from. */
export interface Way {
  from: number;
  to: number;
}

/** Returns every known way once. */
export function knownWays(places: ReadonlyMap<number, Place>): Way[] {
  const ways = new Map<string, Way>();
  for (const { node, exits } of places.values()) {
    for (const { node: neighbor } of exits) {
      const [from, to] = node < neighbor ? [node, neighbor] : [neighbor, node];
      ways.set(`${from}-${to}`, { from, to });
    }
  }
  return [...ways.values()];
}

/**
 * Puts known places on rings around the station, as many legs out as the shortest known way has.
 *
 * A place takes as much of its ring as the places behind it need, and stands near the one it is reached from.
 */
export function layOut(places: ReadonlyMap<number, Place>): ReadonlyMap<number, Point> {
  const root = places.has(STATION) ? STATION : [...places.keys()][0];
  if (root === undefined) {
    return new Map();
  }
  const { children, depth } = shortestWays(places, root);
  const angles = sectors(root, children);
  const radii = ringRadii(angles, depth);
  const spots = new Map<number, Point>([[root, ORIGIN]]);
  for (const [node, angle] of angles) {
    spots.set(node, around(ORIGIN, radii[depth.get(node) ?? 0] ?? 0, angle));
  }
  return spots;
}

/** Returns the direction of every place but the root: each has as much of the circle as the places behind it need. */
function sectors(root: number, children: ReadonlyMap<number, readonly number[]>): ReadonlyMap<number, number> {
  const angles = new Map<number, number>();
  const widthOf = (node: number): number =>
    Math.max(
      1,
      (children.get(node) ?? []).reduce((sum, child) => sum + widthOf(child), 0),
    );
  const spread = (node: number, from: number, until: number) => {
    const share = (until - from) / widthOf(node);
    let start = from;
    for (const child of children.get(node) ?? []) {
      const stop = start + share * widthOf(child);
      angles.set(child, (start + stop) / 2);
      spread(child, start, stop);
      start = stop;
    }
  };
  spread(root, -Math.PI / 2, 1.5 * Math.PI);
  return angles;
}

/** Returns how far out the ring of every depth lies: evenly, but farther where a ring is crowded. */
function ringRadii(angles: ReadonlyMap<number, number>, depth: ReadonlyMap<number, number>): number[] {
  const rings = Math.max(1, ...depth.values());
  const even = Math.min(RING_MOST, REACH / rings);
  const step = Math.min(ROOM, even);
  const radii = [0];
  for (let ring = 1; ring <= rings; ring += 1) {
    const on = [...angles].flatMap(([node, angle]) => (depth.get(node) === ring ? [angle] : []));
    const wanted = Math.max(even * ring, (radii[ring - 1] ?? 0) + step, radiusWithRoom(on));
    radii.push(Math.min(wanted, REACH - (rings - ring) * step));
  }
  return radii;
}

/** Returns the radius at which places in these directions do not touch. */
function radiusWithRoom(angles: readonly number[]): number {
  const sorted = angles.toSorted((one, other) => one - other);
  const gaps = sorted.map((angle, index) => (sorted[index + 1] ?? (sorted[0] ?? 0) + 2 * Math.PI) - angle);
  const least = Math.min(Math.PI, ...gaps);
  return sorted.length < 2 ? 0 : ROOM / (2 * Math.sin(least / 2));
}

/** Returns how many legs every place is from the root, and which places are reached from which. */
function shortestWays(places: ReadonlyMap<number, Place>, root: number) {
  const next = new Map<number, number[]>([...places.keys()].map((node) => [node, []]));
  for (const { from, to } of knownWays(places)) {
    next.get(from)?.push(to);
    next.get(to)?.push(from);
  }
  const depth = new Map([[root, 0]]);
  const children = new Map<number, number[]>();
  const queue = [root];
  const reach = (node: number, from: number) => {
    depth.set(node, (depth.get(from) ?? 0) + 1);
    children.set(from, [...(children.get(from) ?? []), node]);
    queue.push(node);
  };
  const walk = () => {
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      for (const neighbor of next.get(node)?.toSorted((one, other) => one - other) ?? []) {
        if (!depth.has(neighbor)) {
          reach(neighbor, node);
        }
      }
    }
  };
  walk();
  // Where moments are missing, some places hang together with nothing that is known.
  for (const node of places.keys()) {
    if (!depth.has(node)) {
      reach(node, root);
      walk();
    }
  }
  return { children, depth };
}
