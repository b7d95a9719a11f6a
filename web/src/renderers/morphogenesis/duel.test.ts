import { expect, it, describe as suite } from "vitest";
import { duel, duelScore } from "./duel";
import { hud } from "./hud";
import { sampleState } from "./sample";

suite("the score of a duel", () => {
  it("is the gain over the twin, less what growth costs", () => {
    expect(duelScore(12.5, 1)).toBe(12.5);
    expect(duelScore(12.5, Math.E)).toBeCloseTo(12);
    expect(duelScore(null, 2)).toBeNull();
  });

  it("is made of the metrics of a game, where it has them", () => {
    expect(duel.of({ gain_over_control: -2, param_ratio: Math.E ** 2 })).toBeCloseTo(-3);
    expect(duel.of({ gain_over_control: 4 })).toBeNull();
  });

  it("stands among the gauges while a host is grown", () => {
    const score = (changes: Parameters<typeof sampleState>[0]) =>
      hud(sampleState(changes), {}, "host").find(({ key }) => key === "score");
    expect(score({ gain: 20, host_params: 100, total_params: 100 })).toMatchObject({ text: "+20.0", tone: "good" });
    expect(score({ gain: 0.2, host_params: 100, total_params: 10_000 })).toMatchObject({ tone: "bad" });
    expect(score({ gain: null })).toMatchObject({ text: "–", tone: "plain" });
  });
});
