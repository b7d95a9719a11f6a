import { expect, it, vi } from "vitest";
import type { WorldDescriptor } from "../../api/types";
import { hotkeyItems, keyLabel, shortcutSection, takesSpace } from "./hotkeys";

const walking = {
  hotkeys: [
    { key: " ", action: 0, hint: "Wait" },
    { key: "ArrowUp", action: 1, hint: "MoveNorth" },
  ],
} as WorldDescriptor;

it("leaves a key that the world takes to the world, the space bar included", () => {
  const [act, toggle] = [vi.fn(), vi.fn()];
  const keys = [
    { key: "space", does: "Let time pass", run: toggle },
    { key: ".", does: "One tick", run: toggle },
  ];
  const items = hotkeyItems(walking, keys, act);
  expect(items.map(([key]) => key)).toEqual(["space", "arrowup", "."]);
  items[0]?.[1](new KeyboardEvent("keydown"));
  expect(act).toHaveBeenCalledWith(0);
  expect(takesSpace(walking)).toBe(true);
  expect(shortcutSection(walking, keys).shortcuts).toEqual([
    { keys: ["."], does: "One tick" },
    { keys: ["Space"], does: "Wait" },
    { keys: ["↑"], does: "Move north" },
  ]);
});

it("writes keys as they are written on a keyboard", () => {
  expect(["e", " ", "ArrowLeft", "space"].map(keyLabel)).toEqual(["E", "Space", "←", "Space"]);
});
