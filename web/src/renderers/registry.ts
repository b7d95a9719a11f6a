import type { WorldModule } from "./renderer";

/** Renderers by world id; a world is drawn by adding one line here. */
const LOADERS: Readonly<Record<string, () => Promise<WorldModule>>> = {
  prospector: async () => (await import("./prospector")).prospector,
  tidebreak: async () => (await import("./tidebreak")).tidebreak,
  townlet: async () => (await import("./townlet")).townlet,
  gameboy: async () => (await import("./gameboy")).gameboy,
  morphogenesis: async () => (await import("./morphogenesis")).morphogenesis,
};

const REMEMBERED = "diorama.drawn";

/** Returns the world that this browser drew last, else the first that can be drawn: most likely also the next one. */
export function likelyWorld(): string {
  const drawn = localStorage.getItem(REMEMBERED);
  return drawn !== null && hasRenderer(drawn) ? drawn : (Object.keys(LOADERS)[0] ?? "");
}

export function hasRenderer(world: string): boolean {
  return world in LOADERS;
}

/** Loads what a world adds to the pages; one without a renderer is shown by its pixels, or by all that it tells. */
export async function loadWorldModule(world: string, isSendingPixels = false): Promise<WorldModule> {
  const load = LOADERS[world];
  if (load === undefined) {
    return isSendingPixels ? (await import("./pixels")).pixels : (await import("./plain")).plain;
  }
  localStorage.setItem(REMEMBERED, world);
  return load();
}
