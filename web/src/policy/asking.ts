import { api } from "../api/client";
import { unwrap } from "../api/errors";
import type { PolicyFacts } from "./facts";
import { decodeRows, type RowBlock, USUAL } from "./rows";

/** Asks what seats saw, from one decision on. */
export async function fetchRows(
  sessionId: string,
  seats: readonly number[],
  first: number,
  facts: PolicyFacts,
): Promise<RowBlock> {
  const extra = Object.keys(facts.inputs).filter((name) => !USUAL.includes(name));
  const rows = await unwrap(
    api.GET("/api/play/session/{session_id}/rows", {
      params: { path: { session_id: sessionId }, query: { seat: [...seats], first, extra } },
    }),
  );
  return decodeRows(rows);
}
