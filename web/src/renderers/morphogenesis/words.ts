import { formatWholePercent } from "../../shared/format";
import { humanize } from "../ui/labels";
import type { SeedState, Stage } from "./state";

export const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  DORMANT: "Empty",
  GERMINATED: "Planted",
  TRAINING: "Training",
  BLENDING: "Blending",
  HOLDING: "Holding",
  FOSSILIZED: "Permanent",
  PRUNED: "Removed",
  EMBARGOED: "Cooling",
  RESETTING: "Clearing",
};

export const STAGE_HINTS: Readonly<Record<Stage, string>> = {
  DORMANT: "Nothing is planted here.",
  GERMINATED: "Planted and exactly the identity; it does not learn yet.",
  TRAINING: "Learns beside the host; the output does not feel it.",
  BLENDING: "Fades in or out: its alpha moves toward the target.",
  HOLDING: "At full strength; it waits for the verdict.",
  FOSSILIZED: "Part of the host for good.",
  PRUNED: "Removed in this epoch.",
  EMBARGOED: "The module is gone and the slot cools down.",
  RESETTING: "The slot is free in the next epoch.",
};

const BLUEPRINTS: Readonly<Record<string, string>> = {
  conv_light: "Light convolution",
  conv_small: "Small convolution",
  conv_heavy: "Heavy convolution",
  depthwise: "Depthwise convolution",
  bottleneck: "Bottleneck",
  norm: "Normalization",
  attention: "Attention",
  flex_attention: "Flexible attention",
  lora: "Low-rank adapter",
  lora_large: "Large low-rank adapter",
  mlp_small: "Small perceptron",
  mlp: "Perceptron",
  noop: "Nothing",
};

const REWARD_TERMS: Readonly<Record<string, string>> = {
  bounded_attribution: "Contribution",
  ratio_penalty: "Too good to be true",
  escrow_delta: "Credit held back",
  escrow_forfeit: "Credit forfeited",
  compute_rent: "Rent for parameters",
  occupancy_rent: "Rent for slots",
  fossilized_rent: "Rent for the permanent",
  alpha_shock: "Sudden strength",
  blending_warning: "Harmful blending",
  holding_warning: "Overdue verdict",
  pbrs_bonus: "Way through the stages",
  synergy_bonus: "Synergy",
  action_shaping: "The operation itself",
  terminal_bonus: "End of the episode",
  fossilize_terminal_bonus: "Permanent seeds",
  hindsight_credit: "Help in hindsight",
  drip_this_epoch: "Dripping credit",
  drip_immediate_bonus: "Credit at once",
};

export function rewardTermName(term: string): string {
  return REWARD_TERMS[term] ?? humanize(term);
}

export function blueprintName(id: string): string {
  return BLUEPRINTS[id] ?? humanize(id);
}

/** Stage of a seed, with its alpha while it is on the way. */
export function stageText(stage: Stage, seed: SeedState | null): string {
  const words = STAGE_WORDS[stage];
  return stage === "BLENDING" && seed !== null ? `${words} ${formatWholePercent(seed.alpha)}` : words;
}

export function points(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : `${sign(value)}${Math.abs(value).toFixed(1)}`;
}

export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : `${value.toFixed(1)}%`;
}

/** Points below this are no difference. */
const LITTLE = 0.05;

/** Whether points are a gain or a loss; neither where they are next to nothing. */
export function sideOf(value: number | null | undefined): "better" | "worse" | "even" {
  return value == null || Math.abs(value) < LITTLE ? "even" : value > 0 ? "better" : "worse";
}

function sign(value: number): string {
  return { better: "+", worse: "−", even: "±" }[sideOf(value)];
}
