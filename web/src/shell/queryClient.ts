import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/errors";

const MAX_RETRIES = 2;

/** One cache for all pages. What the server refused is not asked again; what it could not answer is. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < MAX_RETRIES && !(error instanceof ApiError && error.status < 500 && error.status > 0),
      // Loopback has no "offline": the browser may say so while the server on this machine answers.
      networkMode: "always",
    },
  },
});
