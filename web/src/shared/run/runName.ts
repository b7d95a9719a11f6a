import { worldTitle } from "../world/worldTitle";

const CHAMPION = "champion:";

/** Returns the world whose champion an id means; null for the id of a run. */
export function championWorld(run: string): string | null {
  return run.startsWith(CHAMPION) ? run.slice(CHAMPION.length) : null;
}

/** Returns a run as people read it: its own id, or whose champion it is. */
export function runName(run: string): string {
  const world = championWorld(run);
  return world === null ? run : `Champion of ${worldTitle(world)}`;
}
