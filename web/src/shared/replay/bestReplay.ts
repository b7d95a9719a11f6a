import type { ReplayEntry, WorldDescriptor } from "../../api/types";

/** Returns the best replay of a list by the first headline metric of its world, the newest of equals. */
export function bestReplay(
  replays: readonly ReplayEntry[],
  { headline, metrics }: Pick<WorldDescriptor, "headline" | "metrics">,
): ReplayEntry | null {
  const key = headline[0];
  const sign = metrics.find((metric) => metric.key === key)?.better === "lower" ? -1 : 1;
  const worth = (replay: ReplayEntry) => sign * (replay.metrics[key ?? ""] ?? -sign * Number.POSITIVE_INFINITY);
  return (
    replays.toSorted((a, b) => worth(b) - worth(a) || Date.parse(b.created_at) - Date.parse(a.created_at))[0] ?? null
  );
}
