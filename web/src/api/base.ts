/** Where the server lives: the page's own origin unless the build was pointed at another host. */
const CONFIGURED_BASE: string = import.meta.env.VITE_API_BASE ?? "";

export const API_BASE = CONFIGURED_BASE.replace(/\/+$/, "");

/** Returns the address of a path of the server, for `fetch`, `EventSource` and links. */
export function apiUrl(path: string): string {
  return `${API_BASE}${path}`;
}

/** Returns the address of a WebSocket path of the server. */
export function webSocketUrl(path: string): string {
  const base = API_BASE === "" ? window.location.origin : API_BASE;
  return `${base.replace(/^http/, "ws")}${path}`;
}
