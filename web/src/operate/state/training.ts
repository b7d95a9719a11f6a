import { queryOptions } from "@tanstack/react-query";
import type { Json } from "./json";
import { bearer, liveUrl } from "./liveAddress";

export interface Training {
  /** The run that the policy comes from; null for a scripted one. */
  run_id: string | null;
  /** Records of its PPO telemetry, oldest first. */
  records: readonly Readonly<Record<string, Json>>[];
}

export const trainingQuery = (base: string, id: string, token: string | null) =>
  queryOptions({
    queryKey: ["live-training", base, id, token !== null],
    queryFn: async ({ signal }): Promise<Training> => {
      const address = liveUrl(base, `/api/v1/worlds/${encodeURIComponent(id)}/training`);
      const response = await fetch(address, { headers: bearer(token), signal });
      if (!response.ok) {
        throw new Error(`status ${response.status}`);
      }
      return (await response.json()) as Training;
    },
    refetchInterval: 20_000,
  });
