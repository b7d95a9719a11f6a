import { useEffect } from "react";
import type { SessionState } from "../../api/types";
import { fetchRows } from "../../policy/asking";
import { chosenDecision } from "../../policy/choosing";
import { PolicyMind } from "../../policy/mind";
import type { LoadedPolicy } from "../../policy/runtime";
import { opposingSeats } from "./opposing";
import type { PlaySession } from "./usePlaySession";

interface Given {
  /** Null leaves the other seats to the server. */
  policy: LoadedPolicy | null;
  /** Whether it draws its options by their odds. */
  isDrawing: boolean;
  state: SessionState;
  play: PlaySession;
}

/** Seats a policy of this page opposite the person: it plays the seats against theirs, and no other. */
export function useOpponent({ policy, isDrawing, state, play }: Given): void {
  const { setOpponent } = play;
  const { seat: own } = state;
  const opposing = opposingSeats(state).join();
  useEffect(() => {
    if (policy === null || opposing === "") {
      return;
    }
    const seats = opposing.split(",").map(Number);
    const { heads } = policy.facts;
    const mind = new PolicyMind(policy, seats.length, ({ sessionId }, first) =>
      fetchRows(sessionId, seats, first, policy.facts),
    );
    setOpponent(async ({ session_id, steps, seat: theirs }, rewrites) => {
      if (theirs !== own) {
        return []; // the person has just moved to one of these seats
      }
      const { actions, probabilities } = await mind.think({ sessionId: session_id, rewrites, steps, now: null });
      return seats.map((seat, row) => {
        const decided = { actions: actions[row] ?? [], probabilities: probabilities[row] ?? [] };
        const decision = chosenDecision(decided, heads, isDrawing ? Math.random : null);
        return { seat, action: decision.length === 1 ? (decision[0] ?? 0) : [...decision] };
      });
    });
    return () => setOpponent(null);
  }, [policy, isDrawing, opposing, own, setOpponent]);
}
