import { describe, expect, it } from "vitest";
import type { Frame } from "../../api/types";
import { Summary } from "./summary";
import { curvePoints, timelineMarks } from "./timelineMarks";

function frame(index: number, reward: number, events: string[] = []): Frame {
  return {
    schema_version: 1,
    frame_index: index,
    t: index + 1,
    dt: 1,
    action: 6,
    reward,
    terminated: false,
    truncated: false,
    render_state: { schema_version: 1, headline: { net_profit: index * 10 }, time: index, time_remaining: 0 },
    events,
  };
}

describe("the summary", () => {
  it("sums rewards only as far as everything before is known", () => {
    const summary = new Summary(4, ["net_profit"]);
    summary.add(frame(0, 1));
    summary.add(frame(1, 2));
    summary.add(frame(3, 8));
    expect([...summary.returns()]).toEqual([1, 3, Number.NaN, Number.NaN]);
    summary.add(frame(2, 4));
    expect([...summary.returns()]).toEqual([1, 3, 7, 15]);
    expect(summary.isComplete).toBe(true);
  });

  it("counts a frame once, however often it is loaded", () => {
    const summary = new Summary(2, []);
    summary.add(frame(0, 1, ["sell"]));
    summary.add(frame(0, 1, ["sell"]));
    expect(summary.marks().get("sell")).toEqual([0]);
    expect(summary.knownShare).toBe(0.5);
  });
});

describe("marks", () => {
  const events = new Map([
    ["mine", [1, 2, 3]],
    ["sell", [10, 40]],
    ["pirate_encounter", [11]],
    ["travel", [70]],
  ]);

  it("leave out ordinary work and keep what matters most in a column", () => {
    const names = timelineMarks(events, 100, 10).map((mark) => [mark.frame, mark.name]);
    expect(names).toEqual([
      [11, "pirate_encounter"],
      [40, "sell"],
      [70, "travel"],
    ]);
  });

  it("stay apart on a wide timeline", () => {
    expect(timelineMarks(events, 100, 100).map((mark) => mark.frame)).toEqual([10, 11, 40, 70]);
  });
});

describe("curves", () => {
  it("run from the lowest to the highest value, zero included", () => {
    const [run] = curvePoints(Float64Array.of(0, 5, 10), 100);
    expect(run?.map((point) => point.y)).toEqual([0, 0.5, 1]);
  });

  it("break where nothing is known", () => {
    const values = Float64Array.of(1, 2, Number.NaN, 4, 5, 6);
    expect(curvePoints(values, 100).map((run) => run.length)).toEqual([2, 3]);
  });

  it("join the samples of a long replay", () => {
    const values = new Float64Array(1000).fill(Number.NaN);
    values[0] = 0;
    values[500] = 3;
    values[999] = 6;
    expect(curvePoints(values, 200).map((run) => run.length)).toEqual([3]);
  });
});
