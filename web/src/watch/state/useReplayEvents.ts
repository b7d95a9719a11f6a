import { useMemo } from "react";
import type { EventLine, RenderState, WorldModule } from "../../renderers/renderer";
import type { ReplayPane } from "./useReplayPane";

/** Frames looked back over for what happened; a torpedo runs for five minutes before it hits. */
const LOOK_BACK = 400;

/** What happened up to a frame, oldest first, as far as the frames before it are loaded. */
export function useReplayEvents(module: WorldModule, pane: ReplayPane, index: number): readonly EventLine[] {
  const { store } = pane;
  const version = store?.version() ?? 0;
  // The store grows in place; its version tells when it did.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => {
    const { eventLines } = module;
    if (eventLines === undefined || store === null) {
      return [];
    }
    const lines: EventLine[] = [];
    for (let at = Math.max(0, index - LOOK_BACK); at <= index; at += 1) {
      const frame = store.frame(at);
      if (frame !== undefined) {
        lines.push(...eventLines(frame.render_state as RenderState));
      }
    }
    return lines;
  }, [module, store, version, index]);
}
