import { useMemo } from "react";
import { indexOfKey } from "../../renderers/decisions";
import type { Head, RenderState, WorldModule } from "../../renderers/renderer";

/** Something a newcomer might do next. */
export interface Idea {
  /** The action, and what belongs to it. */
  actions: readonly number[];
  title: string;
  why: string;
}

/** What the world suggests at a moment, among what is allowed then. */
export function useIdeas(
  module: WorldModule,
  render: RenderState,
  heads: readonly Head[],
  mask: readonly number[],
): readonly Idea[] {
  return useMemo(
    () =>
      module
        .suggest(render, (key) => mask[indexOfKey(heads, key)] === 1)
        .map(({ key, why, also = [], title }) => ({
          actions: [key, ...also].map((one) => indexOfKey(heads, one)),
          title: title ?? module.actionText(key, render).title,
          why,
        })),
    [module, render, heads, mask],
  );
}
