import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { ApiError } from "../../api/errors";
import type { SeatDecision, SessionState } from "../../api/types";
import {
  createSession,
  deleteSession,
  type NewGame,
  readSession,
  resetSession,
  stepSession,
  undoSession,
} from "./calls";
import { keep, leave } from "./leaving";
import { reduceSession, type Session, type SessionAction } from "./sessionReducer";

/** Decides for the other seats at a moment of a session. */
export type Opponent = (state: SessionState, rewrites: number) => Promise<readonly SeatDecision[]>;

export interface PlaySession {
  session: Session;
  step: (action: number | readonly number[]) => void;
  undo: (steps: number) => void;
  /** Opens the next episode, or that of a seed, perhaps in another seat. */
  reset: (seed?: number, seat?: number) => void;
  start: (game: NewGame) => void;
  end: () => void;
  /** Takes a state that came over another way, such as the socket of a real-time world. */
  receive: (state: SessionState) => void;
  /** Who plays the other seats from this page; null while the server sees to them. */
  opponent: Opponent | null;
  setOpponent: (opponent: Opponent | null) => void;
  /** What the opponent decides now; null without one. */
  decideOthers: () => Promise<readonly SeatDecision[] | null>;
}

/**
 * A play session for as long as the page is open: created on entry, with a seed where one is named, or adopted if `adopted` names one, and deleted on
 * leaving.
 */
export function usePlaySession(
  world: string | null,
  variant: string | null,
  adopted: string | null,
  seed: number | null = null,
): PlaySession {
  const [session, dispatch] = useReducer(reduceSession, { status: "opening" });
  const latest = useRef(session);
  latest.current = session;
  const [opponent, seat] = useState<Opponent | null>(null);
  const setOpponent = useCallback((next: Opponent | null) => seat(() => next), []);
  const current = useRef<string | null>(null);
  const isBusy = useRef(false);

  const hold = useCallback((state: SessionState) => {
    if (current.current !== null && current.current !== state.session_id) {
      leave(current.current);
    }
    keep(state.session_id);
    current.current = state.session_id;
  }, []);

  const open = useCallback(
    async (request: () => Promise<SessionState>, isWanted: () => boolean) => {
      dispatch({ type: "opening" });
      try {
        const state = await request();
        if (!isWanted()) {
          leave(state.session_id);
          return;
        }
        hold(state);
        dispatch({ type: "opened", state });
      } catch (failure) {
        if (isWanted()) {
          dispatch({ type: "failed", message: failure instanceof Error ? failure.message : String(failure) });
        }
      }
    },
    [hold],
  );

  useEffect(() => {
    if (world === null) {
      return;
    }
    let isWanted = true;
    if (adopted !== null) {
      keep(adopted);
    }
    const create = () => createSession({ world, variant, ...(seed === null ? {} : { seed }) });
    const request = () => (adopted === null ? create() : adoptOrCreate(adopted, create));
    void open(request, () => isWanted);
    const forget = () => current.current !== null && deleteSession(current.current);
    window.addEventListener("pagehide", forget);
    return () => {
      isWanted = false;
      window.removeEventListener("pagehide", forget);
      if (current.current !== null) {
        leave(current.current);
        current.current = null;
      }
    };
  }, [world, variant, adopted, seed, open]);

  const ask = useCallback(
    async (request: (id: string) => Promise<SessionState>, type: "stepped" | "undone" | "opened") => {
      const id = current.current;
      if (id === null || isBusy.current) {
        return;
      }
      isBusy.current = true;
      dispatch({ type: "busy" });
      try {
        const state = await request(id);
        if (current.current === id) {
          dispatch({ type, state });
        }
      } catch (failure) {
        dispatch(refusal(failure));
      } finally {
        isBusy.current = false;
      }
    },
    [],
  );

  const decideOthers = useCallback(async () => {
    const now = latest.current;
    return opponent === null || now.status !== "open" ? null : opponent(now.state, now.rewrites);
  }, [opponent]);

  return useMemo(
    () => ({
      session,
      opponent,
      setOpponent,
      decideOthers,
      step: (action) => void ask(async (id) => stepSession(id, action, await decideOthers()), "stepped"),
      undo: (steps) => void ask((id) => undoSession(id, steps), "undone"),
      reset: (seed, seat) => void ask((id) => resetSession(id, seed, seat), "opened"),
      start: (game) =>
        void open(
          () => createSession(game),
          () => true,
        ),
      end: () => {
        if (current.current !== null) {
          deleteSession(current.current);
          current.current = null;
        }
        dispatch({ type: "ended" });
      },
      receive: (state) => dispatch({ type: "stepped", state }),
    }),
    [session, opponent, setOpponent, decideOthers, ask, open],
  );
}

/** A session that is gone (the server was restarted, or it idled too long) makes room for a new one. */
async function adoptOrCreate(id: string, create: () => Promise<SessionState>): Promise<SessionState> {
  try {
    return await readSession(id);
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) {
      return create();
    }
    throw failure;
  }
}

function refusal(failure: unknown): SessionAction {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof ApiError && failure.status === 404) {
    return { type: "failed", message: "The server no longer knows this session. Start a new one." };
  }
  return { type: "refused", message };
}
