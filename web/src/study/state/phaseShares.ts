import type { WindowRow } from "../../api/types";
import { column } from "./series";

const PHASES = [
  { field: "seconds_env", label: "World", help: "Stepping the copies of the world" },
  { field: "seconds_policy", label: "Policy", help: "Choosing actions" },
  { field: "seconds_learn", label: "Learning", help: "Updating the policy" },
] as const;

export interface PhaseShare {
  label: string;
  help: string;
  seconds: number;
  share: number;
}

/**
 * Returns how the wall time of the windows was spent, or null where rows carry no phase times.
 *
 * What no phase claims (evaluation, checkpoints, writing) is "Other".
 */
export function phaseShares(windows: readonly WindowRow[]): PhaseShare[] | null {
  const timed = windows.filter((window) => PHASES.every(({ field }) => typeof window[field] === "number"));
  const wall = sum(column(timed, "wall_seconds"));
  if (timed.length === 0 || wall <= 0) {
    return null;
  }
  const phases = PHASES.map(({ field, label, help }) => ({ label, help, seconds: sum(column(timed, field)) }));
  const claimed = phases.reduce((total, phase) => total + phase.seconds, 0);
  const whole = Math.max(wall, claimed);
  const other = { label: "Other", help: "Recording, checkpoints and evaluation", seconds: whole - claimed };
  return [...phases, other].map((phase) => ({ ...phase, share: phase.seconds / whole }));
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
