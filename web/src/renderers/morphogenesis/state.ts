import type { RenderState } from "../renderer";

export const STAGES = [
  "DORMANT",
  "GERMINATED",
  "TRAINING",
  "BLENDING",
  "HOLDING",
  "FOSSILIZED",
  "PRUNED",
  "EMBARGOED",
  "RESETTING",
] as const;
export type Stage = (typeof STAGES)[number];

export const OPS = ["WAIT", "GERMINATE", "SET_ALPHA_TARGET", "PRUNE", "FOSSILIZE", "ADVANCE"] as const;
export type Op = (typeof OPS)[number];

/** A module that is planted; what was not measured is null. Contribution and improvements are percentage points. */
export interface SeedState {
  seed_id: string;
  blueprint: string;
  style: string;
  alpha: number;
  alpha_target: number;
  alpha_mode: "HOLD" | "UP" | "DOWN";
  alpha_curve: string;
  alpha_steps_left: number;
  epochs_in_stage: number;
  previous_stage: string;
  previous_epochs: number;
  age: number;
  params: number;
  contribution: number | null;
  interaction_sum: number;
  improvement: number;
  reference_improvement: number | null;
  gradient_health: number | null;
  has_vanishing: boolean;
  has_exploding: boolean;
  is_healthy: boolean;
}

export interface SlotState {
  slot_id: string;
  channels: number;
  stage: Stage;
  seed: SeedState | null;
}

/** One station of the host; `width` counts channels, layers or classes. */
export interface Station {
  kind: "input" | "block" | "pool" | "layers" | "slot" | "output";
  width: number;
  slot_id: string | null;
}

/** Another host that runs beside this one; a seed is its stage and its alpha. */
export interface HostState {
  env_id: number;
  accuracy: number;
  gain: number | null;
  is_rolling_back: boolean;
  seeds: readonly (readonly [Stage, number] | null)[];
}

export interface Advice {
  /** Options by head. */
  choice: Readonly<Record<string, string>>;
  why: string;
}

/** The render state of this world, schema version 1. */
export interface MorphogenesisState extends RenderState {
  task: string;
  topology: "cnn" | "transformer";
  env_id: number;
  round: number;
  epoch: number;
  max_epochs: number;
  /** Percent. */
  accuracy: number;
  loss: number | null;
  control_accuracy: number | null;
  gain: number | null;
  all_off_accuracy: number | null;
  history: {
    accuracy: readonly number[];
    control: readonly (number | null)[];
    loss: readonly (number | null)[];
    reward: readonly number[];
  };
  host_params: number;
  total_params: number;
  param_budget: number;
  counts: { planted: number; pruned: number; permanent: number };
  episode_reward: number;
  is_rolling_back: boolean;
  rollbacks: number;
  slots: readonly SlotState[];
  /** Why an operation cannot be done, by operation and slot; empty where it can. */
  refusals: Readonly<Record<Op, readonly string[]>>;
  blueprints: readonly string[];
  last_action: { op: Op; slot_id: string; success: boolean; reward: number } | null;
  /** Parts of the last reward that are not nothing. */
  reward_terms: Readonly<Record<string, number>>;
  flow: readonly Station[];
  /** Every host of the run where there are several. */
  hosts: readonly HostState[];
  advice: Advice;
}

/** The subject that stands for the whole host. */
export const HOST = "host";
const SCHEMA_VERSION = 1;

/** Reads a render state as this world's. Throws on another schema version, so that nothing is drawn wrongly. */
export function asMorphogenesis(state: RenderState): MorphogenesisState {
  if (state.schema_version !== SCHEMA_VERSION) {
    throw new Error(`render schema ${state.schema_version} is not the ${SCHEMA_VERSION} this picture knows`);
  }
  return state as MorphogenesisState;
}

/** Returns the slot that is looked at; undefined where it is the host. */
export function slotOf(state: MorphogenesisState, subject: string | null | undefined): SlotState | undefined {
  return state.slots.find(({ slot_id }) => slot_id === subject);
}

/** Why an operation cannot be done with a slot now; empty where it can. */
export function refusalOf(state: MorphogenesisState, op: Op, slotId: string): string {
  return state.refusals[op][state.slots.findIndex(({ slot_id }) => slot_id === slotId)] ?? "";
}

const ON_PATH: ReadonlySet<Stage> = new Set(["BLENDING", "HOLDING", "FOSSILIZED"]);
const GONE: ReadonlySet<Stage> = new Set(["PRUNED", "EMBARGOED", "RESETTING"]);

/** Whether a seed has a part in what the host puts out. */
export function isOnPath(stage: Stage): boolean {
  return ON_PATH.has(stage);
}

/** Whether the module is gone and its slot cools down. */
export function isGone(stage: Stage): boolean {
  return GONE.has(stage);
}
