/** Returns the name of a world as people write it. */
export function worldTitle(world: string): string {
  return world.charAt(0).toUpperCase() + world.slice(1);
}
