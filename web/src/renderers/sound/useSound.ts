import { useLocalStorage } from "@mantine/hooks";
import { useEffect, useMemo } from "react";
import type { WorldScene } from "../sceneQuery";
import { SoundBoard } from "./SoundBoard";

export interface Sound {
  isOn: boolean;
  toggle: () => void;
  /** Null until the world's manifests are there. */
  board: SoundBoard | null;
}

/** The sounds of a world; whether they are on is remembered per page. */
export function useSound(scene: WorldScene | undefined, page: "watch" | "play"): Sound {
  const [isOn, setOn] = useLocalStorage({ key: `diorama.sound.${page}`, defaultValue: page === "play" });
  const board = useMemo(() => (scene === undefined ? null : new SoundBoard(scene.manifests)), [scene]);
  useEffect(() => board?.setOn(isOn), [board, isOn]);
  useEffect(() => () => board?.close(), [board]);
  return { isOn, toggle: () => setOn((was) => !was), board };
}
