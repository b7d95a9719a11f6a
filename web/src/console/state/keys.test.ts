import { beforeEach, describe, expect, it } from "vitest";
import { giveUpFocus, HeldKeys, isForThePage, keysOf } from "./keys";

const NAMES = ["right", "left", "up", "down", "a", "b", "select", "start"];

describe("held keys", () => {
  it("are one bit each", () => {
    const held = new HeldKeys(NAMES);
    held.press("right", "arrowright");
    held.press("start", "enter");

    expect(held.mask).toBe(0b10000001);
    expect(keysOf(NAMES, held.mask)).toEqual(["right", "start"]);
  });

  it("stay down until the last source lets go", () => {
    const held = new HeldKeys(NAMES);
    held.press("a", "z");
    held.press("a", "finger 1");
    held.release("z");
    expect(held.mask).toBe(0b10000);
    held.release("finger 1");
    expect(held.mask).toBe(0);
  });

  it("are all let go at once when the page loses the focus", () => {
    const held = new HeldKeys(NAMES);
    held.press("a", "z");
    held.press("b", "x");
    held.releaseAll();
    expect(held.mask).toBe(0);
  });

  it("ignore a key the console does not have", () => {
    const held = new HeldKeys(NAMES);
    held.press("turbo", "t");
    expect(held.mask).toBe(0);
  });
});

describe("a key is left to the page", () => {
  beforeEach(() => {
    document.body.innerHTML = '<button id="b">x</button><input id="i"><div id="d"></div>';
  });

  it.each([
    ["i", "z", true],
    ["i", "arrowup", true],
    ["b", "enter", true],
    ["b", "z", false],
    ["d", "enter", false],
  ])("on #%s, key %s: %s", (id, key, expected) => {
    expect(isForThePage(key, document.getElementById(id))).toBe(expected);
  });
});

describe("a click that is done", () => {
  it.each([
    ['<button id="one">Reset</button>', false],
    ['<input id="one" type="radio">', false],
    ['<input id="one">', true],
    ['<button id="one" aria-haspopup="menu">More</button>', true],
  ])("leaves the focus: %s", (html, isKept) => {
    document.body.innerHTML = html;
    const one = document.getElementById("one");
    one?.focus();
    giveUpFocus();
    expect(document.activeElement === one).toBe(isKept);
  });
});
