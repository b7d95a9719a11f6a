import { useQuery } from "@tanstack/react-query";
import type { WorldDescriptor } from "../../api/types";
import { loadManifests, type ManifestSet } from "../manifests";
import { loadWorldModule } from "../registry";
import type { WorldModule } from "../renderer";

export interface WorldScene {
  module: WorldModule;
  manifests: ManifestSet;
}

/** Loads what is needed to draw a world: its renderer and its manifests. */
export function useWorldScene(descriptor: WorldDescriptor | undefined) {
  return useQuery({
    queryKey: ["scene", descriptor?.world],
    enabled: descriptor !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<WorldScene> => {
      if (descriptor === undefined) {
        throw new Error("no world is chosen");
      }
      const [module, manifests] = await Promise.all([
        loadWorldModule(descriptor.world),
        loadManifests(descriptor.presentation, signal),
      ]);
      return { module, manifests };
    },
  });
}
