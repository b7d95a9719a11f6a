import { queryOptions } from "@tanstack/react-query";
import { loadManifests, type ManifestSet, type PresentationUrls } from "./manifests";
import { loadWorldModule } from "./registry";
import type { WorldModule } from "./renderer";

export interface WorldScene {
  module: WorldModule;
  manifests: ManifestSet;
}

/** What is needed to draw a world: its module and its manifests. */
export const sceneQuery = (world: string, presentation: PresentationUrls) =>
  queryOptions({
    queryKey: ["scene", world],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<WorldScene> => {
      const [module, manifests] = await Promise.all([loadWorldModule(world), loadManifests(presentation, signal)]);
      module.prepare(manifests);
      return { module, manifests };
    },
  });
