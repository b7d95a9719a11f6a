import { describe, expect, it, vi } from "vitest";
import type { SessionState, WorldDescriptor } from "../../api/types";
import { deckGroups } from "./deck";
import { hotkeyItems, shortcutSection } from "./hotkeys";
import { receive } from "./realTime";

const DESCRIPTOR = {
  action_labels: ["GO_0", "GO_1", "HOLD_DRIFT"],
  action_groups: [{ id: "g", title: "Group", description: "", actions: [0, 1, 2] }],
  hotkeys: [
    { key: "h", action: 2, hint: "hold" },
    { key: "u", action: 0, hint: "go" },
  ],
} as unknown as WorldDescriptor;
const textOf = (label: string) =>
  label.startsWith("GO") ? { title: `Go ${label.slice(3)}`, detail: "", family: "Go", short: label.slice(3) } : null;

describe("the deck", () => {
  const [group] = deckGroups(DESCRIPTOR, { mask: [1, 0, 1], reasons: ["", "no way", ""], textOf });

  it("puts families into rows and falls back to the descriptor's label", () => {
    expect(group?.rows.map((row) => [row.family, row.actions.length])).toEqual([
      ["Go", 2],
      [null, 1],
    ]);
    expect(group?.rows[1]?.actions[0]?.text.title).toBe("Hold drift");
  });

  it("closes masked actions with the server's reason", () => {
    expect(group?.rows[0]?.actions[1]).toMatchObject({ isOpen: false, reason: "no way" });
    const [bare] = deckGroups(DESCRIPTOR, { mask: [1, 0, 1], reasons: null, textOf });
    expect(bare?.rows[0]?.actions[1]?.reason).toBe("not possible now");
  });

  it("shows the hotkey of an action", () => {
    expect(group?.rows[1]?.actions[0]?.hotkey).toBe("h");
  });
});

describe("hotkeys", () => {
  it("belong to the world first", () => {
    const [onAction, undo, auto] = [vi.fn(), vi.fn(), vi.fn()];
    const keys = [
      { key: "u", does: "undo", run: undo },
      { key: "a", does: "auto", run: auto },
    ];
    const items = new Map(hotkeyItems(DESCRIPTOR, keys, onAction).map(([key, run]) => [key, run]));
    items.get("u")?.(new KeyboardEvent("keydown"));
    items.get("a")?.(new KeyboardEvent("keydown"));
    expect(onAction).toHaveBeenCalledWith(0);
    expect(undo).not.toHaveBeenCalled();
    expect(auto).toHaveBeenCalled();
  });

  it("are listed for the help", () => {
    expect(shortcutSection(DESCRIPTOR, []).shortcuts).toContainEqual({ keys: ["H"], does: "Hold" });
  });
});

describe("the socket of a real-time world", () => {
  it("hands states, pictures and errors to whom they concern", () => {
    const callbacks = { onState: vi.fn(), onPicture: vi.fn(), onError: vi.fn() };
    const state = { type: "state", steps: 3 } as unknown as SessionState;
    receive(JSON.stringify(state), callbacks);
    receive(JSON.stringify({ type: "error", status_code: 404, detail: "gone" }), callbacks);
    const picture = new ArrayBuffer(4);
    receive(picture, callbacks);
    expect(callbacks.onState).toHaveBeenCalledWith(state);
    expect(callbacks.onError).toHaveBeenCalledWith("gone");
    expect(callbacks.onPicture).toHaveBeenCalledWith(picture);
  });
});
