import { describe, expect, it, vi } from "vitest";
import type { WorldDescriptor } from "../../api/types";
import type { ActionText } from "../../renderers/renderer";
import { deckGroups } from "./deck";
import { hotkeyItems, shortcutSection } from "./hotkeys";

const DESCRIPTOR = {
  action_heads: [{ name: "action", options: ["GO_0", "GO_1", "HOLD_DRIFT"], noop: 2 }],
  action_groups: [{ id: "g", title: "Group", description: "", actions: [0, 1, 2] }],
  hotkeys: [
    { key: "h", action: 2, hint: "hold" },
    { key: "u", action: 0, hint: "go" },
  ],
} as unknown as WorldDescriptor;
const textOf = (label: string): ActionText =>
  label.startsWith("GO")
    ? { title: `Go ${label.slice(3)}`, detail: "", family: "Go", short: label.slice(3) }
    : { title: "Hold", detail: "" };

describe("the deck", () => {
  const [group] = deckGroups(DESCRIPTOR, { mask: [1, 0, 1], reasons: ["", "no way", ""], textOf });

  it("puts families into rows", () => {
    expect(group?.rows.map((row) => [row.family, row.actions.length])).toEqual([
      ["Go", 2],
      [null, 1],
    ]);
    expect(group?.rows[1]?.actions[0]?.text.title).toBe("Hold");
  });

  it("closes masked actions with the server's reason", () => {
    expect(group?.rows[0]?.actions[1]).toMatchObject({ isOpen: false, reason: "no way" });
    const [bare] = deckGroups(DESCRIPTOR, { mask: [1, 0, 1], reasons: null, textOf });
    expect(bare?.rows[0]?.actions[1]?.reason).toBe("not possible now");
  });

  it("leaves out what stands for something that is not there", () => {
    const shy = (label: string) => ({ ...textOf(label), isHiddenWhenClosed: true });
    const [shown] = deckGroups(DESCRIPTOR, { mask: [1, 0, 1], reasons: null, textOf: shy });
    expect(shown?.rows.flatMap((row) => row.actions.map(({ key }) => key))).toEqual(["GO_0", "HOLD_DRIFT"]);
  });

  it("shows the hotkey of an action", () => {
    expect(group?.rows[1]?.actions[0]?.hotkey).toBe("h");
  });
});

describe("a deck that asks step by step", () => {
  const descriptor = {
    action_heads: [
      { name: "slot", options: ["left", "right"], noop: 0 },
      { name: "kind", options: ["small", "large"], noop: 0 },
      { name: "op", options: ["wait", "plant"], noop: 0 },
    ],
    action_groups: ["slot", "kind", "op"].map((id, place) => ({
      id,
      title: id,
      description: "",
      actions: [2 * place, 2 * place + 1],
    })),
    hotkeys: [],
  } as unknown as WorldDescriptor;
  const now = { mask: [1, 1, 1, 1, 1, 1], reasons: null, textOf };

  it("shows only the heads that matter, in the order they are asked", () => {
    expect(deckGroups(descriptor, { ...now, asked: ["op", "slot"] }).map(({ id }) => id)).toEqual(["op", "slot"]);
    expect(deckGroups(descriptor, now).map(({ id }) => id)).toEqual(["slot", "kind", "op"]);
  });

  it("closes what does not go with what is chosen, and says why", () => {
    const refusalOf = (action: number) => (action === 1 ? "it is taken" : "");
    const [slots] = deckGroups(descriptor, { ...now, refusalOf });
    expect(slots?.rows.flatMap(({ actions }) => actions.map(({ isOpen, reason }) => [isOpen, reason]))).toEqual([
      [true, ""],
      [false, "it is taken"],
    ]);
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
