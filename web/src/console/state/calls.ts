import { queryOptions } from "@tanstack/react-query";
import { apiUrl } from "../../api/base";
import { api } from "../../api/client";
import { ApiError, unwrap } from "../../api/errors";
import type { components } from "../../api/schema";

type Schemas = components["schemas"];

export type ConsoleRow = Schemas["ConsoleRow"];
export type ProgramRow = Schemas["ProgramRow"];
export type ConsoleState = Schemas["ConsoleState"];
export type Inspection = Schemas["Inspection"];

const at = (id: string) => ({ params: { path: { session_id: id } } });

/** The worlds with consoles; they do not change while the server runs. */
export const consolesQuery = queryOptions({
  queryKey: ["consoles"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/consoles", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What can be run; the folder is looked at again whenever the page is opened. */
export const programsQuery = (world: string) =>
  queryOptions({
    queryKey: ["programs", world],
    queryFn: ({ signal }) => unwrap(api.GET("/api/consoles/{world}/programs", { params: { path: { world } }, signal })),
  });

export const inspectionQuery = (id: string) =>
  queryOptions({
    queryKey: ["inspection", id],
    queryFn: ({ signal }) => unwrap(api.GET("/api/consoles/session/{session_id}/inspection", { ...at(id), signal })),
  });

export function openConsole(world: string, program: string): Promise<ConsoleState> {
  return unwrap(api.POST("/api/consoles/session", { body: { world, program } }));
}

export function readConsole(id: string): Promise<ConsoleState> {
  return unwrap(api.GET("/api/consoles/session/{session_id}", at(id)));
}

export function restartConsole(id: string): Promise<ConsoleState> {
  return unwrap(api.POST("/api/consoles/session/{session_id}/restart", at(id)));
}

/** Switches a console off; also while the page is being left, when no answer can be awaited any more. */
export function closeConsole(id: string): void {
  void fetch(apiUrl(`/api/consoles/session/${id}`), { method: "DELETE", keepalive: true }).catch(() => undefined);
}

/** Returns the state of a console and a name for its file. */
export async function downloadState(id: string): Promise<{ blob: Blob; fileName: string }> {
  const answer = await ask(`/api/consoles/session/${id}/savestate`);
  const named = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
  return { blob: await answer.blob(), fileName: named?.[1] ?? "console.state" };
}

export async function uploadState(id: string, file: Blob): Promise<void> {
  const headers = { "Content-Type": "application/octet-stream" };
  await ask(`/api/consoles/session/${id}/savestate`, { method: "POST", body: file, headers });
}

/** Asks for bytes, which the typed client does not carry. */
async function ask(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(apiUrl(path), init).catch(() => {
    throw new ApiError(0, "The server does not answer.");
  });
  if (!answer.ok) {
    const body = (await answer.json().catch(() => ({}))) as { detail?: string };
    throw new ApiError(answer.status, body.detail ?? `The server answered ${answer.status}`);
  }
  return answer;
}
