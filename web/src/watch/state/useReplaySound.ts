import { useEffect, useRef } from "react";
import type { Frame } from "../../api/types";
import type { Head } from "../../renderers/renderer";
import type { WorldScene } from "../../renderers/sceneQuery";
import { type Sound, useSound } from "../../renderers/sound/useSound";
import { optionsAt } from "./useReplayPane";

/** The sounds of a replay: a step is heard when the replay moves on to it. */
export function useReplaySound(scene: WorldScene, heads: readonly Head[], frame: Frame | undefined): Sound {
  const sound = useSound(scene, "watch");
  const heard = useRef(frame);
  useEffect(() => {
    if (frame !== undefined && frame !== heard.current) {
      const last = heard.current;
      heard.current = frame;
      if (last !== undefined && frame.frame_index > last.frame_index) {
        sound.board?.playStep(optionsAt(heads, frame, last), frame.events);
      }
    }
  }, [frame, sound.board, heads]);
  return sound;
}
