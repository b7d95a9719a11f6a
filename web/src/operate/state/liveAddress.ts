import { queryOptions } from "@tanstack/react-query";
import { apiUrl } from "../../api/base";

export interface LiveWorldRow {
  /** Names the world in addresses. */
  id: string;
  world: string;
  run_id: string;
  tick: number;
  speed: string;
}

export interface LivePlace {
  /** Where the live process answers; empty for the server of this page. */
  base: string;
  worlds: readonly LiveWorldRow[];
}

/** Finds the live worlds: those of this page's own server, else of the one it was told about. */
export const livePlaceQuery = queryOptions({
  queryKey: ["live-place"],
  queryFn: async ({ signal }): Promise<LivePlace> => {
    const told = await fetch(apiUrl("/api/live"), { signal });
    const base = told.ok ? (((await told.json()) as { address: string | null }).address ?? "") : "";
    const response = await fetch(`${base === "" ? apiUrl("") : base}/api/v1/worlds`, { signal });
    return { base, worlds: response.ok ? ((await response.json()) as { worlds: LiveWorldRow[] }).worlds : [] };
  },
  refetchInterval: 5_000,
});

/** Returns the address of a path of the live process. */
export function liveUrl(base: string, path: string): string {
  return base === "" ? apiUrl(path) : `${base}${path}`;
}

export function liveSocketUrl(base: string, path: string): string {
  const address = liveUrl(base, path);
  return (address.startsWith("http") ? address : `${window.location.origin}${address}`).replace(/^http/, "ws");
}
