import { useHotkeys } from "@mantine/hooks";
import { type ShortcutSection, useShortcutSection } from "../../shared/shortcuts/registry";
import type { PlaybackAction } from "./usePlayback";

const SECTION: ShortcutSection = {
  title: "Watch",
  shortcuts: [
    { keys: ["Space"], does: "Play or pause" },
    { keys: ["←"], does: "One step back" },
    { keys: ["→"], does: "One step on" },
    { keys: ["Shift", "←"], does: "Fifty frames back" },
    { keys: ["Shift", "→"], does: "Fifty frames on" },
    { keys: ["Home"], does: "To the start" },
    { keys: ["End"], does: "To the end" },
    { keys: ["T"], does: "Take over from here" },
    { keys: ["S"], does: "Sound on or off" },
  ],
};
const JUMP = 50;

interface Keys {
  dispatch: (action: PlaybackAction) => void;
  stride: number;
  onTakeOver: () => void;
  onSound: () => void;
}

export function useWatchKeys({ dispatch, stride, onTakeOver, onSound }: Keys): void {
  useShortcutSection(SECTION);
  useHotkeys([
    ["space", () => dispatch({ type: "toggle" })],
    ["ArrowLeft", () => dispatch({ type: "move", by: -stride })],
    ["ArrowRight", () => dispatch({ type: "move", by: stride })],
    ["shift+ArrowLeft", () => dispatch({ type: "move", by: -JUMP })],
    ["shift+ArrowRight", () => dispatch({ type: "move", by: JUMP })],
    ["Home", () => dispatch({ type: "restart" })],
    ["End", () => dispatch({ type: "seek", index: Number.MAX_SAFE_INTEGER })],
    ["t", onTakeOver],
    ["s", onSound],
  ]);
}
