import { describe, expect, it } from "vitest";
import {
  actionKey,
  decisionOf,
  headOf,
  headsThatMatter,
  indexOfKey,
  newOptions,
  optionsOf,
  tellingOptions,
} from "./decisions";

const ONE = [{ name: "action", options: ["GO", "HOLD"], noop: 1 }];
const MANY = [
  { name: "throttle", options: ["stop", "flank"], noop: 0 },
  { name: "layer", options: ["hold", "up", "down"], noop: 0 },
  { name: "weapon", options: ["hold", "gun"], noop: 0 },
];

describe("names of actions", () => {
  it("are labels where there is one head", () => {
    expect([0, 1].map((index) => actionKey(ONE, index))).toEqual(["GO", "HOLD"]);
  });

  it("tell heads apart that share a label", () => {
    expect([2, 5].map((index) => actionKey(MANY, index))).toEqual(["layer.hold", "weapon.hold"]);
    expect(indexOfKey(MANY, "weapon.gun")).toBe(6);
    expect(indexOfKey(MANY, "weapon.none")).toBe(-1);
    expect(headOf(MANY, 4)).toEqual({ head: 1, option: 2 });
  });
});

describe("a recorded action", () => {
  it("is one option, one per head, or one of these per seat", () => {
    expect(decisionOf(ONE, 1)).toEqual([1]);
    expect(decisionOf(ONE, [0, 1], 1)).toEqual([1]);
    expect(decisionOf(MANY, [1, 2, 0])).toEqual([1, 2, 0]);
    expect(decisionOf(MANY, [null, [1, 0, 1]], 1)).toEqual([1, 0, 1]);
    expect(decisionOf(MANY, [null, [1, 0, 1]], 0)).toBeNull();
    expect(decisionOf(MANY, null)).toBeNull();
  });

  it("has options by their indices over all heads", () => {
    expect(optionsOf(MANY, [1, 2, 1])).toEqual([1, 4, 6]);
    expect(optionsOf(MANY, null)).toEqual([]);
  });

  it("tells what is new where orders stand, and everything where each step is a choice", () => {
    expect(newOptions(MANY, [1, 2, 1], [1, 0, 1])).toEqual([4]);
    expect(newOptions(MANY, [1, 2, 1], null)).toEqual([1, 4, 6]);
    expect(newOptions(ONE, [1], [1])).toEqual([1]);
  });

  it("is told by what it does beyond the no-ops", () => {
    expect(tellingOptions(MANY, [1, 0, 1])).toEqual([1, 6]);
    expect(tellingOptions(MANY, [0, 0, 0])).toEqual([0]);
  });
});

describe("heads that matter", () => {
  const RELEVANCE = { head: "weapon", heads: { hold: [], gun: ["layer"] } };

  it("are all where the world does not tell them apart", () => {
    expect(headsThatMatter(MANY, null, [0, 0, 0])).toEqual(["throttle", "layer", "weapon"]);
  });

  it("follow from what is chosen on one of them, which comes first", () => {
    expect(headsThatMatter(MANY, RELEVANCE, [1, 2, 1])).toEqual(["weapon", "layer"]);
    expect(headsThatMatter(MANY, RELEVANCE, [1, 2, 0])).toEqual(["weapon"]);
  });

  it("are told also where they stay at their no-op, and no others are", () => {
    expect(tellingOptions(MANY, [1, 0, 1], RELEVANCE)).toEqual([6, 2]);
    expect(tellingOptions(MANY, [1, 2, 0], RELEVANCE)).toEqual([5]);
    expect(tellingOptions(MANY, null, RELEVANCE)).toEqual([]);
  });
});
