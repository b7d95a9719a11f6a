import type { SeatRows, SessionState } from "../api/types";
import type { PolicyFacts } from "./facts";

/** Arrays with one row per seat, by name. */
export type Arrays = Readonly<Record<string, Float32Array | Uint8Array>>;

/** What seats saw before some decisions in a row. */
export interface RowBlock {
  /** The first of these decisions. */
  first: number;
  decisions: readonly Arrays[];
}

/** What every session shows; whatever else a policy takes is asked for by name. */
export const USUAL: readonly string[] = ["obs", "obs_u8", "mask", "starts", "memory"];

export function decodeRows(rows: Pick<SeatRows, "first" | "count" | "arrays">): RowBlock {
  const whole = Object.entries(rows.arrays).map(([name, array]) => {
    const bytes = Uint8Array.from(atob(array.data), (letter) => letter.charCodeAt(0));
    return [name, array.dtype === "float32" ? new Float32Array(bytes.buffer) : bytes] as const;
  });
  return {
    first: rows.first,
    decisions: Array.from({ length: rows.count }, (_, place) =>
      Object.fromEntries(
        whole.map(([name, array]) => {
          const size = array.length / rows.count;
          return [name, array.subarray(place * size, (place + 1) * size)];
        }),
      ),
    ),
  };
}

/** What the own seat sees now, where a state tells all that a policy takes: pictures and further arrays it does not. */
export function rowOfState(state: SessionState, facts: PolicyFacts): Arrays | null {
  const isTold = Object.keys(facts.inputs).every((name) =>
    name === "obs_u8" ? state.pictures.length === 0 : USUAL.includes(name),
  );
  return isTold
    ? {
        obs: Float32Array.from(state.obs),
        obs_u8: Uint8Array.from(state.obs_u8),
        mask: Uint8Array.from(state.action_mask),
        starts: Uint8Array.of(state.steps === 0 ? 1 : 0),
      }
    : null;
}
