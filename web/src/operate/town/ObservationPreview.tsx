import classes from "../operate.module.css";
import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";

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

interface Props {
  view: LiveView;
  agent: JsonObject;
  /** Side of the map that policies see, in tiles; 0 where they see none. */
  windowTiles: number;
}

/** The part of the town that a citizen's policy sees: what is free, what stands there, what is taken, and who. */
export function ObservationPreview({ view, agent, windowTiles }: Props) {
  const [x, y] = placeOf(agent);
  if (x === null || y === null || listAt(view.state.map, "tiles").length === 0) {
    return null;
  }
  if (windowTiles === 0) {
    return <p className={classes.fine}>Policies of this town see no map.</p>;
  }
  const reach = Math.floor(windowTiles / 2);
  const tileAt = tilesOf(view);
  const rows = Array.from({ length: windowTiles }, (_, row) =>
    Array.from({ length: windowTiles }, (_, column) => tileAt(x + column - reach, y + row - reach)),
  );
  return (
    <figure className={classes.preview}>
      <svg viewBox={`0 0 ${windowTiles} ${windowTiles}`} role="img" aria-label="The town around the citizen">
        {rows.flatMap((tiles, row) =>
          tiles.map((tile, column) => {
            const kind = row === reach && column === reach ? "self" : tile;
            const at = `${column - reach} east, ${row - reach} south`;
            return (
              <rect key={at} x={column} y={row} width={1} height={1} data-tile={kind}>
                <title>{`${at}: ${MEANINGS[kind]}`}</title>
              </rect>
            );
          }),
        )}
      </svg>
      <figcaption className={classes.fine}>
        {windowTiles} × {windowTiles} tiles around the citizen: walls, objects, those in use, others
      </figcaption>
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
