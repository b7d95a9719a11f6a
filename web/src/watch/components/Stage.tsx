import { Loader } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { useEffect, useMemo, useRef } from "react";
import type { WorldDescriptor } from "../../api/types";
import type { View } from "../../renderers/renderer";
import type { WorldScene } from "../../renderers/sceneQuery";
import { WorldView } from "../../renderers/ui/WorldView";
import type { ReplayPane } from "../state/useReplayPane";
import { viewAt } from "../state/useReplayPane";
import classes from "./Theater.module.css";

interface Props {
  pane: ReplayPane;
  index: number;
  scene: WorldScene;
  descriptor: WorldDescriptor;
  /** Who or what is looked at; null where nobody has chosen. */
  subject: string | null;
  onSubject: (key: string) => void;
  /** Called when the first picture is drawn or cannot be. */
  onPicture?: () => void;
  caption?: string;
}

/** One replay on screen; the last picture stays until the next one is there. */
export function Stage({ pane, index, scene, descriptor, subject, onSubject, onPicture, caption }: Props) {
  const reducedMotion = useReducedMotion();
  const shownIndex = Math.min(index, Math.max(0, pane.frameCount - 1));
  const frame = pane.store?.frame(shownIndex);
  const store = pane.store;
  const detail = pane.detail;
  // Panes are made anew on every load; the frame itself tells whether there is something new to show.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const fresh = useMemo(() => {
    const view = viewAt(pane, descriptor.action_heads, shownIndex, frame, reducedMotion);
    return view === null ? null : { ...view, subject };
  }, [store, detail, shownIndex, frame, subject, reducedMotion]);
  const last = useRef<View | null>(null);
  useEffect(() => {
    last.current = fresh ?? last.current;
  }, [fresh]);
  useEffect(() => store?.want(shownIndex), [store, shownIndex]);
  const isEnded = index > shownIndex;
  return (
    <div className={classes.stage}>
      {caption !== undefined && <div className={classes.caption}>{isEnded ? `${caption} (ended)` : caption}</div>}
      <div className={classes.picture}>
        <WorldView
          scene={scene}
          descriptor={descriptor}
          pilot="agent"
          view={fresh ?? last.current}
          onSubject={onSubject}
          onReady={onPicture}
        >
          {fresh === null && (
            <div className={classes.waiting} role="status">
              <Loader size={14} /> Loading frame {shownIndex}
            </div>
          )}
        </WorldView>
      </div>
    </div>
  );
}
