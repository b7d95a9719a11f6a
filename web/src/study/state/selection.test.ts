import { expect, test } from "vitest";
import { readSelection, writeSelection } from "./selection";

test("an empty address means the newest run and plain curves", () => {
  expect(readSelection("")).toEqual({
    runs: null,
    focus: null,
    tab: "curves",
    xAxis: "steps",
    smoothing: 0,
    hasBands: true,
  });
});

test("a selection survives the address", () => {
  const search = writeSelection("world=prospector", { runs: ["a", "b"], focus: "b", xAxis: "wall", smoothing: 0.6 });

  expect(search).toBe("world=prospector&runs=a,b&focus=b&x=wall&smooth=0.6");
  expect(readSelection(search)).toMatchObject({ runs: ["a", "b"], focus: "b", xAxis: "wall", smoothing: 0.6 });
});

test("nonsense falls back to what is usual", () => {
  expect(readSelection("tab=owls&x=-1&smooth=nine&runs=a,a,,b")).toMatchObject({
    runs: ["a", "b"],
    tab: "curves",
    xAxis: "steps",
    smoothing: 0,
  });
  expect(readSelection("smooth=7").smoothing).toBe(0.98);
});

test("a focus on a run that is no longer selected is dropped", () => {
  expect(writeSelection("runs=a,b&focus=b", { runs: ["a"] })).toBe("runs=a");
});
