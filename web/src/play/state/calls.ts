import { apiUrl } from "../../api/base";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { SessionState } from "../../api/types";

export interface NewGame {
  world: string;
  /** The default configuration where none is named. */
  variant?: string | null;
  seed?: number;
  timeMax?: number;
}

export function createSession({ world, variant, seed, timeMax }: NewGame): Promise<SessionState> {
  return unwrap(
    api.POST("/api/play/session", {
      body: { world, variant: variant ?? null, seed: seed ?? null, env_time_max: timeMax ?? null, seat: 0 },
    }),
  );
}

export function readSession(id: string): Promise<SessionState> {
  return unwrap(api.GET("/api/play/session/{session_id}", { params: { path: { session_id: id } } }));
}

export function stepSession(id: string, action: number | readonly number[]): Promise<SessionState> {
  return unwrap(
    api.POST("/api/play/session/{session_id}/step", {
      params: { path: { session_id: id } },
      body: { action: typeof action === "number" ? action : [...action] },
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
