import type { MorphogenesisState, SeedState, SlotState } from "./state";

/** A made-up seed that blends in, for tests. */
export function sampleSeed(changes: Partial<SeedState> = {}): SeedState {
  return {
    seed_id: "r0_env0_seed0",
    blueprint: "conv_light",
    style: "SIGMOID_ADD",
    alpha: 0.4,
    alpha_target: 1,
    alpha_mode: "UP",
    alpha_curve: "SIGMOID",
    alpha_steps_left: 2,
    epochs_in_stage: 2,
    previous_stage: "TRAINING",
    previous_epochs: 4,
    age: 7,
    params: 42,
    contribution: 3.25,
    interaction_sum: 0,
    improvement: 1.5,
    reference_improvement: 2,
    gradient_health: 0.9,
    has_vanishing: false,
    has_exploding: false,
    is_healthy: true,
    ...changes,
  };
}

export function sampleSlot(changes: Partial<SlotState> = {}): SlotState {
  return { slot_id: "r0c0", channels: 2, stage: "BLENDING", seed: sampleSeed(), ...changes };
}

const EMPTY = ["the slot is empty", "the slot is empty"];

/** A made-up host of two blocks and two slots, the first of them planted. */
export function sampleState(changes: Partial<MorphogenesisState> = {}): MorphogenesisState {
  return {
    schema_version: 1,
    headline: { final_accuracy: 62.5, gain_over_control: 12.5 },
    time: 10,
    time_remaining: 30,
    task: "digits_impaired",
    topology: "cnn",
    env_id: 0,
    round: 0,
    epoch: 10,
    max_epochs: 40,
    accuracy: 62.5,
    loss: 1.25,
    control_accuracy: 50,
    gain: 12.5,
    all_off_accuracy: 59.25,
    history: { accuracy: [10, 40, 62.5], control: [10, null, 50], loss: [2.3, null, 1.25], reward: [0.1, -0.4] },
    host_params: 160,
    total_params: 202,
    param_budget: 3200,
    counts: { planted: 1, pruned: 0, permanent: 0 },
    episode_reward: -0.3,
    is_rolling_back: false,
    rollbacks: 0,
    slots: [sampleSlot(), sampleSlot({ slot_id: "r0c1", channels: 4, stage: "DORMANT", seed: null })],
    refusals: {
      WAIT: ["", ""],
      GERMINATE: ["the slot is BLENDING, not empty", ""],
      SET_ALPHA_TARGET: ["alpha still moves UP", "the slot is empty"],
      PRUNE: ["alpha still moves UP", "the slot is empty"],
      FOSSILIZE: EMPTY,
      ADVANCE: ["its alpha is still on the way", "the slot is empty"],
    },
    blueprints: ["conv_light", "norm"],
    last_action: { op: "WAIT", slot_id: "r0c0", success: true, reward: -0.4 },
    reward_terms: { compute_rent: -0.5, pbrs_bonus: 0.1 },
    flow: [
      { kind: "input", width: 1, slot_id: null },
      { kind: "block", width: 2, slot_id: null },
      { kind: "slot", width: 0, slot_id: "r0c0" },
      { kind: "pool", width: 0, slot_id: null },
      { kind: "block", width: 4, slot_id: null },
      { kind: "slot", width: 0, slot_id: "r0c1" },
      { kind: "output", width: 10, slot_id: null },
    ],
    hosts: [],
    advice: {
      choice: { slot: "r0c1", blueprint: "norm", style: "SIGMOID_ADD", op: "GERMINATE" },
      why: "The host has settled.",
    },
    ...changes,
  };
}
