import { queryOptions } from "@tanstack/react-query";
import type { ConsoleClient } from "./console";
import { liveUrl } from "./liveAddress";

export interface SnapshotRow {
  path: string;
  tick: number;
}

/** What was saved of a live world, newest first. */
export const snapshotsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ["live-snapshots", client.base, client.id, client.token !== null],
    queryFn: async ({ signal }): Promise<SnapshotRow[]> => {
      const headers: Record<string, string> = client.token === null ? {} : { Authorization: `Bearer ${client.token}` };
      const address = liveUrl(client.base, `/api/v1/worlds/${encodeURIComponent(client.id)}/snapshots`);
      const response = await fetch(address, { headers, signal });
      const body = (await response.json()) as { snapshots?: SnapshotRow[]; detail?: string };
      if (!response.ok || body.snapshots === undefined) {
        throw new Error(body.detail ?? `status ${response.status}`);
      }
      return body.snapshots;
    },
    refetchInterval: 15_000,
  });
