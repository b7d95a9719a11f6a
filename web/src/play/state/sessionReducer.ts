import type { SessionState } from "../../api/types";

export interface LoggedStep {
  step: number;
  /** One option per head; null at the opening. */
  decision: readonly number[] | null;
  reward: number;
  events: readonly string[];
}

/** A session as the page sees it. */
export type Session =
  | { status: "opening" }
  | { status: "failed"; message: string }
  | { status: "ended" }
  | {
      status: "open";
      state: SessionState;
      previous: SessionState | null;
      log: readonly LoggedStep[];
      isBusy: boolean;
      /** How often decisions were taken back or another episode of the session was opened. */
      rewrites: number;
      /** What the server refused last, for a message. */
      refusal: string | null;
    };

export type SessionAction =
  | { type: "opening" | "ended" | "busy" }
  | { type: "failed"; message: string }
  | { type: "refused"; message: string }
  | { type: "opened"; state: SessionState }
  | { type: "stepped"; state: SessionState }
  | { type: "undone"; state: SessionState };

const LOG_LENGTH = 40;

export function reduceSession(session: Session, action: SessionAction): Session {
  switch (action.type) {
    case "opening":
    case "ended":
      return { status: action.type };
    case "failed":
      return { status: "failed", message: action.message };
    case "opened":
      return {
        status: "open",
        state: action.state,
        previous: null,
        log: [],
        isBusy: false,
        rewrites: session.status === "open" ? session.rewrites + 1 : 0,
        refusal: null,
      };
    default:
      return session.status === "open" ? reduceOpen(session, action) : session;
  }
}

function reduceOpen(session: Extract<Session, { status: "open" }>, action: SessionAction): Session {
  switch (action.type) {
    case "busy":
      return { ...session, isBusy: true, refusal: null };
    case "refused":
      return { ...session, isBusy: false, refusal: action.message };
    case "stepped":
      if (action.state.steps <= session.state.steps && action.state.session_id === session.state.session_id) {
        // Told once more, such as by a clock that was paused.
        return session.isBusy ? { ...session, isBusy: false } : session;
      }
      return {
        ...session,
        state: action.state,
        previous: session.state,
        log: [...session.log, logged(action.state)].slice(-LOG_LENGTH),
        isBusy: false,
        refusal: null,
      };
    case "undone":
      return {
        ...session,
        state: action.state,
        previous: null,
        log: session.log.filter((line) => line.step <= action.state.steps),
        isBusy: false,
        rewrites: session.rewrites + 1,
        refusal: null,
      };
    default:
      return session;
  }
}

function logged(state: SessionState): LoggedStep {
  const decision = typeof state.action === "number" ? [state.action] : state.action;
  return { step: state.steps, decision, reward: state.reward, events: state.events };
}
