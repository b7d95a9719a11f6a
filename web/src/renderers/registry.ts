import type { WorldModule } from "./renderer";

/** Renderers by world id; a world is drawn by adding one line here. */
const LOADERS: Readonly<Record<string, () => Promise<WorldModule>>> = {
  prospector: async () => (await import("./prospector")).prospector,
};

export function hasRenderer(world: string): boolean {
  return world in LOADERS;
}

/** Loads what a world adds to the pages. Rejects for a world that cannot be drawn yet. */
export function loadWorldModule(world: string): Promise<WorldModule> {
  const load = LOADERS[world];
  if (load === undefined) {
    return Promise.reject(new Error(`There is no picture for the world ${world} yet.`));
  }
  return load();
}
