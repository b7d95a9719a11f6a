import { dice } from "../scene/dice";
import type { Rect, Tile, TownMap } from "./state";

/** Tiles of meadow that are shown around the town. */
const MARGIN = 1;
/** How far the way into town can be seen outside of it. */
const WAY_IN = 30;
const STEPS: readonly Tile[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/** Edges of an area: west, north, east, south, in tiles. */
export interface Edges {
  west: number;
  north: number;
  east: number;
  south: number;
}

/** Returns the area that holds everything of a town, with a margin. */
export function edgesOf({ zones, spawns }: TownMap): Edges {
  const rects = [...zones.map(({ rect }) => rect), ...spawns.map(([x, y]): Rect => [x, y, x, y])];
  return {
    west: Math.min(...rects.map(([x]) => x)) - MARGIN,
    north: Math.min(...rects.map(([, y]) => y)) - MARGIN,
    east: Math.max(...rects.map(([, , x]) => x)) + 1 + MARGIN,
    south: Math.max(...rects.map(([, , , y]) => y)) + 1 + MARGIN,
  };
}

/** A name for a tile that can be looked up. */
export function keyOf([x, y]: Tile): string {
  return `${x},${y}`;
}

export function isInside([x0, y0, x1, y1]: Rect, [x, y]: Tile, margin = 0): boolean {
  return x >= x0 - margin && x <= x1 + margin && y >= y0 - margin && y <= y1 + margin;
}

/**
 * Lays streets so that every door, every open zone and the way into town are connected.
 *
 * Whatever is nearest to the streets so far is connected next, so that ways run together; roads are then widened where
 * there is room.
 */
export function streetsOf(map: TownMap): Tile[] {
  const isFree = freeTiles(map);
  const goals = goalsOf(map).filter(isFree);
  const first = goals[0];
  if (first === undefined) {
    return [];
  }
  const paved = new Map([[keyOf(first), first]]);
  const waiting = new Map(goals.slice(1).map((tile) => [keyOf(tile), tile]));
  while (waiting.size > 0) {
    const way = nearestWay(paved, waiting, isFree);
    if (way === null) {
      break;
    }
    for (const tile of way) {
      paved.set(keyOf(tile), tile);
      waiting.delete(keyOf(tile));
    }
  }
  const roads = [...paved.values(), ...wayIn(map)];
  const wider = roads.map(([x, y]): Tile => [x, y + 1]).filter((tile) => tile[0] < 0 || isFree(tile));
  return [...new Map([...roads, ...wider].map((tile) => [keyOf(tile), tile])).values()];
}

/** The road that newcomers take, as far as it can be seen: straight out of a map in whose west they appear. */
function wayIn({ spawns }: TownMap): Tile[] {
  const [x, y] = spawns[0] ?? [-1, 0];
  return x === 0 ? Array.from({ length: WAY_IN }, (_, step): Tile => [-1 - step, y]) : [];
}

function freeTiles({ size: [width, height], zones }: TownMap): (tile: Tile) => boolean {
  return (tile) => isInside([0, 0, width - 1, height - 1], tile) && !zones.some(({ rect }) => isInside(rect, tile));
}

/** Where streets must lead: the way into town, in front of doors, and beside open zones. */
function goalsOf({ zones, spawns }: TownMap): Tile[] {
  const doors = zones.map(({ rect, door }): Tile => {
    const [x0, y0, x1] = rect;
    if (door === null) {
      return [Math.round((x0 + x1) / 2), y0 - 1];
    }
    const [dx, dy] = STEPS.find(([x, y]) => !isInside(rect, [door[0] + x, door[1] + y])) ?? [0, 1];
    return [door[0] + dx, door[1] + dy];
  });
  return [...spawns.slice(0, 1), ...doors];
}

/** Returns the shortest way from what is paved to a tile that waits, straight on where it can; null for none. */
function nearestWay(
  paved: ReadonlyMap<string, Tile>,
  waiting: ReadonlyMap<string, Tile>,
  isFree: (tile: Tile) => boolean,
): Tile[] | null {
  const cameFrom = new Map<string, Tile | null>([...paved.keys()].map((key) => [key, null]));
  let front = [...paved.values()];
  while (front.length > 0) {
    const next: Tile[] = [];
    for (const tile of front) {
      if (waiting.has(keyOf(tile))) {
        return wayTo(tile, cameFrom);
      }
      for (const [dx, dy] of STEPS) {
        const beside: Tile = [tile[0] + dx, tile[1] + dy];
        if (isFree(beside) && !cameFrom.has(keyOf(beside))) {
          cameFrom.set(keyOf(beside), tile);
          next.push(beside);
        }
      }
    }
    front = next;
  }
  return null;
}

function wayTo(goal: Tile, cameFrom: ReadonlyMap<string, Tile | null>): Tile[] {
  const way: Tile[] = [];
  for (
    let tile: Tile | null | undefined = goal;
    tile !== null && tile !== undefined;
    tile = cameFrom.get(keyOf(tile))
  ) {
    way.push(tile);
  }
  return way;
}

/** Something that grows or stands about: its picture, where it stands (middle of its foot) and how wide it is. */
export interface Scenery {
  picture: string;
  x: number;
  y: number;
  width: number;
}

const TREES = ["tree_0", "tree_0", "tree_0", "tree_1", "tree_1", "tree_1", "pine", "pine", "pine", "tree_2"] as const;
/** How far the wood reaches around the town, and how dense it is. */
const WOOD = { across: 26, along: 8, share: 0.34 } as const;
/** Streets have a lamp this often. */
const LAMP_EVERY = 7;

/** Plants a wood around the town, trees in the corners of open zones, and bushes where nobody walks. */
export function plantsOf(map: TownMap): Scenery[] {
  const { west, north, east, south } = edgesOf(map);
  const roll = dice(map.zones.length * 31 + map.objects.length);
  const plants: Scenery[] = [];
  for (let y = north - WOOD.along; y < south + WOOD.along; y += 1) {
    for (let x = west - WOOD.across; x < east + WOOD.across; x += 1) {
      const isOutside = x < west + 1 || x >= east - 1 || y < north + 1 || y >= south - 1;
      const isInTheWay = map.spawns.some(([, row]) => Math.abs(row - y) < 3 && x < map.size[0] / 2);
      if (isOutside && !isInTheWay && roll() < WOOD.share) {
        const picture = TREES[Math.floor(roll() * TREES.length)] ?? TREES[0];
        plants.push({ picture, x: x + 0.2 + roll() * 0.6, y: y + 0.6 + roll() * 0.4, width: 1.7 + roll() * 0.7 });
      }
    }
  }
  for (const { rect, door } of map.zones) {
    const [x0, y0, x1, y1] = rect;
    plants.push(
      ...(door === null
        ? gardenOf(rect)
        : [bushAt(x0 + 0.1, y1 + 1.35), bushAt(x1 + 0.9, y1 + 1.35), bushAt(x0 - 0.35, y0 + 1)]),
    );
  }
  return plants.toSorted((one, other) => one.y - other.y);
}

function gardenOf([x0, y0, x1, y1]: Rect): Scenery[] {
  const corners: readonly Tile[] = [
    [x0, y0],
    [x1 + 1, y0],
    [x0, y1 + 1],
    [x1 + 1, y1 + 1],
  ];
  return corners.map(([x, y], place) => ({ picture: `tree_${place % 2}`, x, y: y + 0.4, width: 2.1 }));
}

function bushAt(x: number, y: number): Scenery {
  return { picture: "bush", x, y, width: 0.85 };
}

/** Puts lamps along the streets. */
export function lampsOf(map: TownMap, streets: readonly Tile[]): Scenery[] {
  const paved = new Set(streets.map(keyOf));
  const isFree = freeTiles(map);
  return streets
    .filter(([x, y]) => x % LAMP_EVERY === 3 && !paved.has(keyOf([x, y - 1])) && isFree([x, y - 1]))
    .map(([x, y]) => ({ picture: "lamp", x: x + 0.5, y: y - 0.02, width: 0.55 }));
}
