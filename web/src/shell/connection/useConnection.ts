import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "../../api/client";
import { ApiError, unwrap } from "../../api/errors";

const CHECK_MS = 15_000;
const RETRY_MS = 2_000;
const HEALTH_KEY = "health";

export type Connection = "unknown" | "up" | "down";

/** Watches the server's health: rarely while it answers, often while it does not; refreshes all data when it returns. */
export function useConnection(): Connection {
  const queries = useQueryClient();
  const { data: connection = "unknown", refetch } = useQuery({
    queryKey: [HEALTH_KEY],
    queryFn: ({ signal }) => askHealth(signal),
    refetchInterval: (query) => (query.state.data === "down" ? RETRY_MS : CHECK_MS),
  });
  const wasDown = useRef(false);

  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        const failure = event.type === "updated" && event.action.type === "failed" ? event.action.error : null;
        if (failure instanceof ApiError && failure.isUnreachable) {
          void refetch({ cancelRefetch: false });
        }
      }),
    [queries, refetch],
  );

  useEffect(() => {
    if (connection === "down") {
      wasDown.current = true;
    } else if (connection === "up" && wasDown.current) {
      wasDown.current = false;
      void queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== HEALTH_KEY });
    }
  }, [connection, queries]);

  return connection;
}

/** Not reaching the server is an answer here, not a failure of the question. */
async function askHealth(signal: AbortSignal): Promise<Connection> {
  try {
    await unwrap(api.GET("/health", { signal }));
    return "up";
  } catch (failure) {
    if (failure instanceof ApiError) {
      return "down";
    }
    throw failure;
  }
}
