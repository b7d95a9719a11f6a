import { apiUrl } from "../../api/base";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { JsonObject, SeatDecision, SessionMoments, SessionState } from "../../api/types";

export interface NewGame {
  world: string;
  /** The default configuration where none is named. */
  variant?: string | null;
  seed?: number;
  timeMax?: number;
  /** The world's own configuration, instead of a variant. */
  config?: JsonObject;
  /** Gives seats to every side, for somebody who plays against the own one. */
  bothSides?: boolean;
}

export function createSession({ world, variant, seed, timeMax, config, bothSides }: NewGame): Promise<SessionState> {
  return unwrap(
    api.POST("/api/play/session", {
      body: {
        world,
        variant: variant ?? null,
        seed: seed ?? null,
        env_time_max: timeMax ?? null,
        config: config ?? null,
        both_sides: bothSides ?? false,
        seat: 0,
      },
    }),
  );
}

export function readSession(id: string): Promise<SessionState> {
  return unwrap(api.GET("/api/play/session/{session_id}", { params: { path: { session_id: id } } }));
}

/** Asks what was drawn at earlier moments of a session, from the one after `first` decisions on. */
export function readMoments(id: string, first: number, signal: AbortSignal): Promise<SessionMoments> {
  const params = { path: { session_id: id }, query: { first } };
  return unwrap(api.GET("/api/play/session/{session_id}/moments", { params, signal }));
}

/** Takes a decision; `others` decide for further seats, where they are not left to the server. */
export function stepSession(
  id: string,
  action: number | readonly number[],
  others: readonly SeatDecision[] | null,
): Promise<SessionState> {
  return unwrap(
    api.POST("/api/play/session/{session_id}/step", {
      params: { path: { session_id: id } },
      body: {
        action: typeof action === "number" ? action : [...action],
        others: others === null ? null : [...others],
      },
    }),
  );
}

export function undoSession(id: string, steps: number): Promise<SessionState> {
  return unwrap(
    api.POST("/api/play/session/{session_id}/undo", { params: { path: { session_id: id } }, body: { steps } }),
  );
}

/** Opens the next episode of a session; of the next seed and in the same seat where none is named. */
export function resetSession(id: string, seed?: number, seat?: number): Promise<SessionState> {
  return unwrap(
    api.POST("/api/play/session/{session_id}/reset", {
      params: { path: { session_id: id } },
      body: { seed: seed ?? null, seat: seat ?? null },
    }),
  );
}

/** Deletes a session; also while the page is being left, when no answer can be awaited any more. */
export function deleteSession(id: string): void {
  void fetch(apiUrl(`/api/play/session/${id}`), { method: "DELETE", keepalive: true }).catch(() => undefined);
}
