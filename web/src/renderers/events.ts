/** How an event should be felt. */
export type EventTone = "bad" | "warn" | "good" | "plain";

/** Events of all worlds by name; a name means the same wherever it occurs. */
const TONES: Readonly<Record<string, EventTone>> = {
  invalid_action: "bad",
  pirate_encounter: "bad",
  destroyed: "bad",
  stranded: "bad",
  overheat_tick: "warn",
  fracture: "warn",
  asteroid_depleted: "warn",
  sell: "good",
  cash_out: "good",
  critical: "bad",
  disabled: "bad",
  surrendered: "bad",
  scuttled: "bad",
  captured: "bad",
  transition_botched: "bad",
  objective_failed: "bad",
  squadron_lost: "bad",
  collision: "warn",
  grounding: "warn",
  fire_started: "warn",
  flooding_started: "warn",
  beachhead: "warn",
  lightning: "warn",
  hit: "warn",
  objective_completed: "good",
  repulsed: "good",
  pd_kill: "good",
  agent_exit: "bad",
  agent_near_death: "bad",
  agent_fainted: "bad",
  shift_absent: "bad",
  employment_exit_processed: "bad",
  rent_missed: "bad",
  queue_conflict: "warn",
  chat_failure: "warn",
  need_critical: "warn",
  affordance_fail: "warn",
  job_late: "warn",
  shift_departed_early: "warn",
  employment_warning: "warn",
  employment_exit_pending: "warn",
  perturbation_started: "warn",
  arranged_meet_missed: "warn",
  agent_spawn: "good",
  chat_success: "good",
  shared_meal: "good",
  job_assigned: "good",
  shift_completed: "good",
  perturbation_ended: "good",
  arranged_meet_kept: "good",
  GOVERNOR_ROLLBACK: "bad",
  NUMERICAL_INSTABILITY_DETECTED: "bad",
  PERFORMANCE_DEGRADATION: "warn",
  GRADIENT_ANOMALY: "warn",
  REWARD_HACKING_SUSPECTED: "warn",
  SEED_PRUNED: "warn",
  SEED_FOSSILIZED: "good",
};

/** Returns how an event should be felt; those not listed are ordinary work. */
export function eventTone(name: string): EventTone {
  return TONES[name] ?? "plain";
}

/** Events that come with every step and tell nothing by themselves. */
const ROUTINE: ReadonlySet<string> = new Set([
  "EPOCH_COMPLETED",
  "ANALYTICS_SNAPSHOT",
  "COUNTERFACTUAL_MATRIX_COMPUTED",
  "SEED_GATE_EVALUATED",
]);

/** Returns the events of a step that are worth a word, each once, in their order. */
export function tellingEvents(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !ROUTINE.has(name));
}
