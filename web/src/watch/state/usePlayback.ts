import { useCallback, useEffect, useReducer } from "react";

export const FPS_RANGE = { least: 1, most: 20 } as const;
export const STRIDE_RANGE = { least: 1, most: 15 } as const;

export interface Playback {
  index: number;
  isPlaying: boolean;
  fps: number;
  stride: number;
}

export type PlaybackAction =
  | { type: "seek"; index: number }
  | { type: "move"; by: number }
  | { type: "advance" }
  | { type: "play" | "pause" | "toggle" | "restart" }
  | { type: "set"; fps?: number; stride?: number }
  | { type: "open"; index: number };

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Moves through the frames of a replay; `frames` is how many there are. */
export function reducePlayback(state: Playback, action: PlaybackAction, frames: number): Playback {
  const last = Math.max(0, frames - 1);
  switch (action.type) {
    case "open":
      return { ...state, index: clamp(action.index, 0, last) };
    case "seek":
      return { ...state, index: clamp(Math.round(action.index), 0, last) };
    case "move":
      return { ...state, index: clamp(state.index + action.by, 0, last), isPlaying: false };
    case "advance": {
      const index = clamp(state.index + state.stride, 0, last);
      return { ...state, index, isPlaying: index < last };
    }
    case "play":
      return { ...state, isPlaying: frames > 0, index: state.index >= last ? 0 : state.index };
    case "pause":
      return { ...state, isPlaying: false };
    case "toggle":
      return reducePlayback(state, { type: state.isPlaying ? "pause" : "play" }, frames);
    case "restart":
      return { ...state, index: 0 };
    case "set":
      return {
        ...state,
        fps: clamp(Math.round(action.fps ?? state.fps), FPS_RANGE.least, FPS_RANGE.most),
        stride: clamp(Math.round(action.stride ?? state.stride), STRIDE_RANGE.least, STRIDE_RANGE.most),
      };
  }
}

export interface PlaybackControls extends Playback {
  dispatch: (action: PlaybackAction) => void;
}

/** Playback that waits for frames that are not there yet. */
export function usePlayback(frames: number, isReady: (index: number) => boolean): PlaybackControls {
  const [state, send] = useReducer(
    (before: Playback, { action, total }: { action: PlaybackAction; total: number }) =>
      reducePlayback(before, action, total),
    { index: 0, isPlaying: false, fps: 6, stride: 1 },
  );
  const dispatch = useCallback((action: PlaybackAction) => send({ action, total: frames }), [frames]);
  const next = Math.min(state.index + state.stride, Math.max(0, frames - 1));
  const canAdvance = state.isPlaying && isReady(next);

  // The index belongs to the dependencies: every frame shown sets the clock for the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!canAdvance) {
      return;
    }
    const timer = window.setTimeout(() => dispatch({ type: "advance" }), 1000 / state.fps);
    return () => window.clearTimeout(timer);
  }, [canAdvance, state.index, state.fps, dispatch]);

  return { ...state, dispatch };
}
