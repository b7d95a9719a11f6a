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

/** Finds the live worlds: the server says where they are, if there are any; empty stands for itself. */
export const livePlaceQuery = queryOptions({
  queryKey: ["live-place"],
  queryFn: async ({ signal }): Promise<LivePlace> => {
    const { address } = await answered<{ address: string | null }>(apiUrl("/api/live"), signal);
    if (address === null) {
      return { base: "", worlds: [] };
    }
    const { worlds } = await answered<{ worlds: LiveWorldRow[] }>(liveUrl(address, "/api/v1/worlds"), signal);
    return { base: address, worlds };
  },
  refetchInterval: 5_000,
});

async function answered<Answer>(address: string, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(address, { signal });
  if (!response.ok) {
    throw new Error(`${address} answers with status ${response.status}`);
  }
  return (await response.json()) as Answer;
}

/** Returns the address of a path of the live process. */
export function liveUrl(base: string, path: string): string {
  return base === "" ? apiUrl(path) : `${base}${path}`;
}

export function liveSocketUrl(base: string, path: string): string {
  const address = liveUrl(base, path);
  return (address.startsWith("http") ? address : `${window.location.origin}${address}`).replace(/^http/, "ws");
}
