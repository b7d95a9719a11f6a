import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { SessionState } from "../../api/types";

export interface HintView {
  probabilities: readonly number[] | null;
  value: number | null;
  error: string | null;
}

/** What a trained policy thinks of the present decision; nothing while none is chosen. */
export function useHint(state: SessionState | null, policy: string | null): HintView {
  const isWanted = state !== null && policy !== null && !state.is_over;
  const query = useQuery({
    queryKey: ["hint", state?.session_id, state?.steps, state?.ticks, policy],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/play/session/{session_id}/hint", {
          params: { path: { session_id: state?.session_id ?? "" }, query: { policy: policy ?? "" } },
          signal,
        }),
      ),
  });
  const hint = isWanted ? query.data : undefined;
  return {
    probabilities: hint?.probabilities ?? null,
    value: hint?.value ?? null,
    error: isWanted && query.error !== null ? query.error.message : null,
  };
}
