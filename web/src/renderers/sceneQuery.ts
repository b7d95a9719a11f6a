import { queryOptions } from "@tanstack/react-query";
import type { WorldDescriptor } from "../api/types";
import { loadManifests, type ManifestSet, NO_MANIFESTS } from "./manifests";
import { hasRenderer, loadWorldModule } from "./registry";
import type { WorldModule } from "./renderer";

export interface WorldScene {
  module: WorldModule;
  manifests: ManifestSet;
}

type Drawn = Pick<WorldDescriptor, "world" | "presentation" | "obs_layout">;

/** Whether agents see a world as pixels. */
export function sendsPixels({ obs_layout }: Pick<WorldDescriptor, "obs_layout">): boolean {
  return obs_layout.some(({ dtype, shape }) => dtype === "uint8" && shape.length > 1);
}

/** What is needed to draw a world: its module and its manifests. */
export const sceneQuery = ({ world, presentation, obs_layout }: Drawn) =>
  queryOptions({
    queryKey: ["scene", world],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<WorldScene> => {
      const [module, manifests] = await Promise.all([
        loadWorldModule(world, sendsPixels({ obs_layout })),
        hasRenderer(world) ? loadManifests(presentation, signal) : NO_MANIFESTS,
      ]);
      module.prepare(manifests);
      return { module, manifests };
    },
  });
