import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { Frame, ReplayDetail, WorldDescriptor } from "../../api/types";
import { decisionOf, newOptions } from "../../renderers/decisions";
import { Diary } from "../../renderers/diary";
import type { Head, RenderState, View, WorldModule } from "../../renderers/renderer";
import { SOURCES, type Transport } from "../transport/frames";
import type { ReplayRef } from "./deepLink";
import { FrameStore } from "./FrameStore";
import { replayQuery } from "./replayQuery";
import { useReplayWorld } from "./useReplayWorld";

export interface ReplayPane {
  detail: ReplayDetail | undefined;
  /** The world in the configuration of the replay. */
  descriptor: WorldDescriptor | undefined;
  error: Error | null;
  store: FrameStore | null;
  frameCount: number;
}

const subscribeToNothing = () => () => undefined;
const neverChanges = () => 0;

/**
 * One replay: what is known about it and the frames around the screen. A new selection cancels the old load.
 *
 * `noteOf` makes what is remembered of its moments; absent where nothing is.
 */
export function useReplayPane(
  ref: ReplayRef | null,
  transport: Transport,
  picture: Promise<void>,
  noteOf?: WorldModule["noteOf"],
): ReplayPane {
  const query = useQuery({ ...replayQuery(ref ?? { run: "", replay: "" }), enabled: ref !== null });
  const detail = ref === null ? undefined : query.data;
  const world = useReplayWorld(detail);
  const descriptor = world.data;
  const [store, setStore] = useState<FrameStore | null>(null);

  useEffect(() => {
    if (detail === undefined || descriptor === undefined) {
      setStore(null);
      return;
    }
    const opened = new FrameStore(
      {
        ref: { run: detail.run_id, replay: detail.replay.replay_id },
        frames: detail.meta.frame_count,
        ticks: detail.replay.ticks,
        metricKeys: descriptor.headline,
      },
      SOURCES[transport],
      SOURCES.http,
      picture,
      noteOf === undefined ? null : new Diary(noteOf),
    );
    opened.diary?.put(0, detail.meta.initial_render_state as RenderState);
    setStore(opened);
    return () => opened.close();
  }, [detail, descriptor, transport, picture, noteOf]);

  useSyncExternalStore(store?.subscribe ?? subscribeToNothing, store?.version ?? neverChanges);
  const isCurrent = store !== null && store.shape.ref.run === ref?.run && store.shape.ref.replay === ref.replay;
  return {
    detail,
    descriptor,
    error: query.error ?? world.error,
    store: isCurrent ? store : null,
    frameCount: detail?.meta.frame_count ?? 0,
  };
}

/** What a step chose anew, by index over the options of all heads; all of it where the step before is not there. */
export function optionsAt(heads: readonly Head[], frame: Frame, before: Frame | undefined): number[] {
  return newOptions(heads, decisionOf(heads, frame.action), decisionOf(heads, before?.action ?? null));
}

/** What the picture shows at a frame; before the frame is there, the opening of the replay. */
export function viewAt(
  pane: ReplayPane,
  heads: readonly Head[],
  index: number,
  frame: Frame | undefined,
  reducedMotion: boolean,
): View | null {
  if (pane.detail === undefined) {
    return null;
  }
  const initial = pane.detail.meta.initial_render_state as RenderState;
  if (frame === undefined) {
    return index === 0 ? { state: initial, reducedMotion } : null;
  }
  const last = index === 0 ? undefined : pane.store?.frame(index - 1);
  const before = index === 0 ? initial : (last?.render_state as RenderState | undefined);
  return {
    state: frame.render_state as RenderState,
    frame: { options: optionsAt(heads, frame, last), events: frame.events, event_data: frame.event_data },
    previous: before,
    reducedMotion,
  };
}
