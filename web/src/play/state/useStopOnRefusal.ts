import { useEffect } from "react";
import type { Session } from "./sessionReducer";

/** Ends whatever goes on by itself when the server refuses something: asked again, it would refuse again. */
export function useStopOnRefusal(session: Extract<Session, { status: "open" }>, stop: () => void): void {
  // The same words may come twice, so the session is what counts: it is another one after every refusal.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal stops anything
  useEffect(() => {
    if (session.refusal !== null) {
      stop();
    }
  }, [session]);
}
