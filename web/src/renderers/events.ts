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
};

/** Returns how an event should be felt; those not listed are ordinary work. */
export function eventTone(name: string): EventTone {
  return TONES[name] ?? "plain";
}
