import classes from "../operate.module.css";
import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";

/** Tiles on each side of the citizen; the maps of most policies reach as far. */
const REACH = 5;
const SIDE = 2 * REACH + 1;
const WALLS = new Set(["#", "o"]);

type Tile = "outside" | "blocked" | "free" | "object" | "held" | "citizen" | "self";

const MEANINGS: Readonly<Record<Tile, string>> = {
  outside: "outside of the town",
  blocked: "blocked",
  free: "free",
  object: "an object",
  held: "an object in use",
  citizen: "somebody",
  self: "the citizen",
};

/** The part of the town around a citizen: what is free, what stands there, what is taken, and who. */
export function ObservationPreview({ view, agent }: { view: LiveView; agent: JsonObject }) {
  const [x, y] = placeOf(agent);
  if (x === null || y === null || listAt(view.state.map, "tiles").length === 0) {
    return null;
  }
  const tileAt = tilesOf(view);
  const rows = Array.from({ length: SIDE }, (_, row) =>
    Array.from({ length: SIDE }, (_, column) => tileAt(x + column - REACH, y + row - REACH)),
  );
  return (
    <figure className={classes.preview}>
      <svg viewBox={`0 0 ${SIDE} ${SIDE}`} role="img" aria-label="The town around the citizen">
        {rows.flatMap((tiles, row) =>
          tiles.map((tile, column) => {
            const kind = row === REACH && column === REACH ? "self" : tile;
            const at = `${column - REACH} east, ${row - REACH} south`;
            return (
              <rect key={at} x={column} y={row} width={1} height={1} data-tile={kind}>
                <title>{`${at}: ${MEANINGS[kind]}`}</title>
              </rect>
            );
          }),
        )}
      </svg>
      <figcaption className={classes.fine}>around the citizen: walls, objects, those in use, others</figcaption>
    </figure>
  );
}

function tilesOf(view: LiveView): (x: number, y: number) => Tile {
  const tiles = listAt(view.state.map, "tiles");
  const marks = new Map<string, Tile>();
  for (const object of Object.values(objectAt(view.state.objects)).filter(isObject)) {
    marks.set(placeOf(object).join(), textAt(object, "holder") === null ? "object" : "held");
  }
  for (const other of Object.values(objectAt(view.state.agents)).filter(isObject)) {
    marks.set(placeOf(other).join(), "citizen");
  }
  return (x, y) => {
    const row = tiles[y];
    const letter = typeof row === "string" ? row[x] : undefined;
    return letter === undefined ? "outside" : (marks.get(`${x},${y}`) ?? (WALLS.has(letter) ? "blocked" : "free"));
  };
}

function placeOf(thing: JsonObject): [number | null, number | null] {
  const [x = null, y = null] = listAt(thing, "pos");
  return [numberAt({ x }, "x"), numberAt({ y }, "y")];
}
