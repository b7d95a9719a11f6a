import type { WorldScore } from "../renderer";

/** Points that a network e times as large costs. */
const PRICE_OF_GROWTH = 0.5;

/** What growth has brought over the control twin, less what it costs; null where there is no twin to be ahead of. */
export function duelScore(gain: number | null, paramRatio: number): number | null {
  return gain === null ? null : gain - PRICE_OF_GROWTH * Math.log(paramRatio);
}

/** The score of a duel, from the numbers of a game that has ended. */
export const duel: WorldScore = {
  label: "Score",
  hint: "Points over the control twin, less half the logarithm of how much larger the network has become.",
  of: ({ gain_over_control: gain, param_ratio: ratio }) =>
    gain === undefined || ratio === undefined ? null : duelScore(gain, ratio),
};
