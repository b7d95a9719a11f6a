import { queryOptions } from "@tanstack/react-query";
import type { ConsoleClient } from "./console";
import { bearer, liveUrl } from "./liveAddress";

export interface SnapshotRow {
  /** What an admin calls it; null where names are private. */
  path: string | null;
  tick: number;
  modified_at: string;
}

/** What was saved of a live world, newest first. */
export const snapshotsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ["live-snapshots", client.base, client.id, client.token !== null],
    queryFn: async ({ signal }): Promise<SnapshotRow[]> => {
      const address = liveUrl(client.base, `/api/v1/worlds/${encodeURIComponent(client.id)}/snapshots`);
      const response = await fetch(address, { headers: bearer(client.token), signal });
      const body = (await response.json()) as { snapshots?: SnapshotRow[]; detail?: string };
      if (!response.ok || body.snapshots === undefined) {
        throw new Error(body.detail ?? `status ${response.status}`);
      }
      return body.snapshots;
    },
    refetchInterval: 15_000,
  });
