import { skipToken, useQuery } from "@tanstack/react-query";
import { sessionWorldQuery } from "../../api/queries";
import type { Session } from "./sessionReducer";

const NO_SESSION = { session_id: "", world: "", config_hash: "" };

/** The world of a session in its configuration; idle while none is open. */
export function useSessionWorld(session: Session) {
  const state = session.status === "open" ? session.state : null;
  const options = sessionWorldQuery(state ?? NO_SESSION);
  return useQuery(state === null ? { ...options, queryFn: skipToken } : options);
}
