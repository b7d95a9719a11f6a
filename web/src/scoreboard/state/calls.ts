import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { components } from "../../api/schema";

export type Scoreboard = components["schemas"]["Scoreboard"];
export type ScoreboardRow = components["schemas"]["ScoreboardRow"];
export type ScoreboardMetric = components["schemas"]["ScoreboardMetric"];

const PLAYING_REFRESH_MS = 2_000;
const IDLE_REFRESH_MS = 20_000;

export const scoreboardKey = (world: string) => ["scoreboard", world] as const;

/** Everyone of a world on the same seeds; asked again soon while somebody plays. */
export const scoreboardQuery = (world: string) =>
  queryOptions({
    queryKey: scoreboardKey(world),
    queryFn: ({ signal }) => unwrap(api.GET("/api/scoreboard/{world}", { params: { path: { world } }, signal })),
    refetchInterval: ({ state }) => (state.data?.is_playing === true ? PLAYING_REFRESH_MS : IDLE_REFRESH_MS),
    refetchIntervalInBackground: false,
  });

/** Lets those play who have not. */
export function evaluateScoreboard(world: string): Promise<Scoreboard> {
  return unwrap(api.POST("/api/scoreboard/{world}/evaluation", { params: { path: { world } } }));
}
