import { queryOptions } from "@tanstack/react-query";
import type { WorldDescriptor } from "../api/types";
import { loadManifests, type ManifestSet } from "./manifests";
import { loadWorldModule } from "./registry";
import type { WorldModule } from "./renderer";

export interface WorldScene {
  module: WorldModule;
  manifests: ManifestSet;
}

type Drawn = Pick<WorldDescriptor, "world" | "presentation" | "obs_layout">;

/** What is needed to draw a world: its module and its manifests. */
export const sceneQuery = ({ world, presentation, obs_layout }: Drawn) =>
  queryOptions({
    queryKey: ["scene", world],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<WorldScene> => {
      const isSendingPixels = obs_layout.some(({ dtype, shape }) => dtype === "uint8" && shape.length > 1);
      const [module, manifests] = await Promise.all([
        loadWorldModule(world, isSendingPixels),
        loadManifests(presentation, signal),
      ]);
      module.prepare(manifests);
      return { module, manifests };
    },
  });
