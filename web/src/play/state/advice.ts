/** What a policy thinks of a decision. */
export interface Advice {
  /** The likeliest, one option per head; null while there is none. */
  decision: readonly number[] | null;
  /** Over the options of all heads. */
  probabilities: readonly number[] | null;
  /** The return it expects from here on. */
  value: number | null;
  /** Whether it is about the present moment; else it is what was thought of an earlier one. */
  isOfNow: boolean;
  error: string | null;
}

export const NO_ADVICE: Advice = { decision: null, probabilities: null, value: null, isOfNow: false, error: null };
