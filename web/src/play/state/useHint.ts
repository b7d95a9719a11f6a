import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { SessionState } from "../../api/types";
import { type Advice, NO_ADVICE } from "./advice";

/** What a trained policy on the server thinks of the present decision; nothing while none is asked. */
export function useHint(state: SessionState, rewrites: number, run: string | null): Advice {
  const isWanted = run !== null && !state.is_over;
  const query = useQuery({
    queryKey: ["hint", state.session_id, rewrites, state.steps, state.ticks, run],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/play/session/{session_id}/hint", {
          params: { path: { session_id: state.session_id }, query: { policy: run ?? "" } },
          signal,
        }),
      ),
  });
  const hint = query.data;
  if (!isWanted || hint === undefined) {
    return { ...NO_ADVICE, error: isWanted && query.error !== null ? query.error.message : null };
  }
  return {
    decision: typeof hint.action === "number" ? [hint.action] : hint.action,
    probabilities: hint.probabilities,
    value: hint.value,
    isOfNow: !query.isPlaceholderData,
    error: query.error === null ? null : query.error.message,
  };
}
