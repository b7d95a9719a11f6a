import { useCallback } from "react";
import type { SoundBoard } from "../../renderers/sound/SoundBoard";
import type { PlaybackAction, PlaybackControls } from "./usePlayback";

/** Returns the cue of the interface that goes with steering a replay; null where there is none. */
export function cueOf(action: PlaybackAction, isPlaying: boolean): string | null {
  switch (action.type) {
    case "toggle":
      return isPlaying ? "ui.pause" : "ui.play";
    case "play":
    case "pause":
      return `ui.${action.type}`;
    case "move":
      return "ui.step";
    case "restart":
      return "ui.click";
    default:
      return null;
  }
}

/** The controls of a replay, heard when somebody steers it and sound is on. */
export function useAudibleControls(playback: PlaybackControls, board: SoundBoard | null): PlaybackControls {
  const { dispatch: send, isPlaying } = playback;
  const dispatch = useCallback(
    (action: PlaybackAction) => {
      const cue = cueOf(action, isPlaying);
      if (cue !== null) {
        board?.play(cue);
      }
      send(action);
    },
    [send, isPlaying, board],
  );
  return { ...playback, dispatch };
}
