import { useEffect, useMemo, useState } from "react";
import type { SessionState } from "../../api/types";
import { fetchRows } from "../../policy/asking";
import { PolicyMind } from "../../policy/mind";
import { rowOfState } from "../../policy/rows";
import type { LoadedPolicy } from "../../policy/runtime";
import { type Advice, NO_ADVICE } from "./advice";

interface Thought {
  mind: PolicyMind;
  state: SessionState;
  advice: Advice;
}

/** What a policy that runs in this page thinks of the present decision of the own seat. */
export function usePageAdvice(policy: LoadedPolicy | null, state: SessionState, rewrites: number): Advice {
  const { seat } = state;
  const mind = useMemo(
    () =>
      policy === null
        ? null
        : new PolicyMind(policy, 1, ({ sessionId }, first) => fetchRows(sessionId, [seat], first, policy.facts)),
    [policy, seat],
  );
  const [thought, setThought] = useState<Thought | null>(null);

  useEffect(() => {
    if (mind === null || policy === null || state.is_over) {
      return;
    }
    let isWanted = true;
    const told = (advice: Advice) => isWanted && setThought({ mind, state, advice });
    mind
      .think({ sessionId: state.session_id, rewrites, steps: state.steps, now: rowOfState(state, policy.facts) })
      .then(
        ({ actions: [decision = null], probabilities: [probabilities = null], values: [value = null] }) =>
          told({ decision, probabilities, value, isOfNow: true, error: null }),
        (failure: unknown) =>
          told({ ...NO_ADVICE, error: failure instanceof Error ? failure.message : String(failure) }),
      );
    return () => {
      isWanted = false;
    };
  }, [mind, policy, state, rewrites]);

  if (thought === null || thought.mind !== mind || state.is_over) {
    return NO_ADVICE;
  }
  return thought.state === state ? thought.advice : { ...thought.advice, isOfNow: false };
}
