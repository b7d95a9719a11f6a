import { describe, expect, it } from "vitest";
import { mergePatch } from "./mergePatch";

describe("a merge patch", () => {
  it.each([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [["a"], { b: 1 }, { b: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("turns %j with %j into %j", (target, patch, merged) => {
    expect(mergePatch(target, patch)).toEqual(merged);
  });

  it("keeps what it does not name", () => {
    const target = { kept: { deep: [1] }, changed: { x: 1 } };
    const merged = mergePatch(target, { changed: { x: 2 } }) as typeof target;
    expect(merged.kept).toBe(target.kept);
    expect(target.changed.x).toBe(1);
  });
});
