// @vitest-environment node
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SeatRows, WorldDescriptor } from "../api/types";
import { readFacts } from "./facts";
import { misfit } from "./fit";
import { PolicyMind, type Question } from "./mind";
import { type Arrays, decodeRows } from "./rows";
import { type LoadedPolicy, openPolicy } from "./runtime";

/** How far the runtime of the browser may be from torch: both compute in float32, in another order. */
const TOLERANCE = 1e-5;

/** Written by tests/learn/policies/browser_fixture.py: a policy with memory, and what torch decides with it. */
const file = (name: string) => new URL(`./testing/prospector-mingru.${name}`, import.meta.url);
const bytes = new Uint8Array(readFileSync(file("onnx")));
const kept = JSON.parse(readFileSync(file("json"), "utf-8")) as Pick<SeatRows, "first" | "count" | "arrays">;
const { decisions } = decodeRows(kept);
const ROWS = 2;

let policy: LoadedPolicy;
beforeAll(async () => {
  policy = await openPolicy(bytes);
});
afterAll(() => policy.release());

function apart(got: Iterable<number>, wanted: Arrays[string] | undefined): number {
  const expected = Array.from(wanted ?? []);
  const found = Array.from(got);
  expect(found.length).toBe(expected.length);
  return Math.max(...found.map((one, place) => Math.abs(one - (expected[place] ?? Number.NaN))));
}

describe("an exported policy in the runtime of the browser", () => {
  it("decides like torch at every step, episodes that begin on the way included", async () => {
    let memory: Float32Array = new Float32Array(ROWS * policy.memoryWidth);
    expect(decisions.slice(1).some((arrays) => arrays.starts?.includes(1))).toBe(true);
    for (const arrays of decisions) {
      const decided = await policy.decide(ROWS, arrays, memory);
      expect(decided.actions.flat()).toEqual(Array.from(arrays.actions ?? []));
      expect(apart(decided.probabilities.flat(), arrays.probabilities)).toBeLessThan(TOLERANCE);
      expect(apart(decided.values, arrays.values)).toBeLessThan(TOLERANCE);
      expect(apart(decided.memory, arrays.next_memory)).toBeLessThan(TOLERANCE);
      memory = decided.memory;
    }
  });

  it("remembers what was seen before it was asked, and forgets what was taken back", async () => {
    const asked: number[] = [];
    const mind = new PolicyMind(policy, ROWS, async (_, first) => {
      asked.push(first);
      return { first, decisions: decisions.slice(first, first + 3) };
    });
    const at = async (steps: number, rewrites: number, now: Question["now"] = null) =>
      apart((await mind.think({ sessionId: "s", rewrites, steps, now })).memory, decisions[steps]?.next_memory);

    expect(await at(7, 0)).toBeLessThan(TOLERANCE);
    expect(asked).toEqual([0, 3, 6]);
    expect(await at(8, 0, decisions[8])).toBeLessThan(TOLERANCE);
    expect(await at(8, 0)).toBeLessThan(TOLERANCE);
    expect(asked).toEqual([0, 3, 6]);
    expect(await at(4, 1)).toBeLessThan(TOLERANCE);
    expect(asked).toEqual([0, 3, 6, 0, 3]);
  });

  it("says what is missing instead of deciding about too little", async () => {
    const { mask: _, ...blind } = decisions[0] ?? {};
    await expect(policy.decide(ROWS, blind, new Float32Array(ROWS * policy.memoryWidth))).rejects.toThrow(
      "takes 69 numbers of mask, and this world shows none",
    );
  });
});

describe("a file", () => {
  const world = {
    world: "prospector",
    interface_version: "prospector-v1",
    obs_layout: [{ dtype: "float32", stop: 260 }],
    action_heads: [{ name: "action", options: Array.from({ length: 69 }, (_, option) => `${option}`), noop: 6 }],
  } as unknown as WorldDescriptor;

  it("says what it is and fits the world it was made for", () => {
    const facts = readFacts(bytes);
    expect(facts).toMatchObject({ world: "prospector", arch: "mingru-16-v1", hasIndependentHeads: true });
    expect(facts.inputs).toMatchObject({ obs: 260, mask: 69, starts: 1 });
    expect(misfit(facts, world)).toBeNull();
  });

  it.each([
    [
      "another world",
      { interface_version: "tidebreak-v1" },
      "plays prospector-v1; what is played here is tidebreak-v1",
    ],
    [
      "another layout",
      { obs_layout: [{ dtype: "float32", stop: 264 }] },
      "takes 260 numbers of obs, and this world shows 264",
    ],
    ["other heads", { action_heads: [{ name: "helm", options: Array(69).fill("x"), noop: 0 }] }, "asks for helm (69)"],
  ])("is refused by %s", (_, change, words) => {
    expect(misfit(readFacts(bytes), { ...world, ...change } as WorldDescriptor)?.message).toContain(words);
  });

  it.each([
    ["a text", new TextEncoder().encode("what is this? some text that somebody opened"), "no ONNX file"],
    ["a part of one", bytes.subarray(0, bytes.length - 40), "no ONNX file"],
    ["an empty one", new Uint8Array(), "does not say which world"],
  ])("is refused in words if it is %s", (_, wrong, words) => {
    expect(() => readFacts(wrong)).toThrow(words);
  });
});
