import { useEffect, useState } from "react";
import type { SessionState } from "../../api/types";
import type { EventLine, RenderState, WorldModule } from "../../renderers/renderer";

const KEPT = 2000;
const NONE: readonly EventLine[] = [];

/** What happened in a session so far, oldest first; what was taken back is forgotten. */
export function useSessionEvents(module: WorldModule, state: SessionState): readonly EventLine[] {
  const [seen, setSeen] = useState<readonly EventLine[]>(NONE);
  useEffect(() => {
    const render = state.render_state as RenderState;
    const fresh = module.eventLines?.(render) ?? NONE;
    setSeen((before) => {
      const ids = new Set(fresh.map((line) => line.id));
      const kept = before.filter((line) => line.tick <= render.time && !ids.has(line.id));
      return state.steps === 0 ? fresh : [...kept, ...fresh].slice(-KEPT);
    });
  }, [module, state]);
  return seen;
}
