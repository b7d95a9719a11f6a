import { capitalize } from "../capitalize";

/** Returns the name of a world as people write it. */
export function worldTitle(world: string): string {
  return capitalize(world);
}
