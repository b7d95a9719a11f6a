import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiUrl } from "../../api/base";
import { ApiError, describeRefusal } from "../../api/errors";

export interface LiveWorldRow {
  /** Names the world in addresses. */
  id: string;
  world: string;
  run_id: string;
  tick: number;
  speed: string;
  /** Shapes of what its policies see, by name; what is a single number is left out. */
  observation?: Readonly<Record<string, readonly number[]>>;
}

export interface LivePlace {
  /** Where the live process answers; empty for the server of this page. */
  base: string;
  worlds: readonly LiveWorldRow[];
  /** Whether they show themselves only to those who have a token, or another one than was given. */
  isLocked: boolean;
}

const UNAUTHORIZED = 401;

/** Finds the live worlds: the server says where they are, if there are any; empty stands for itself. */
export const livePlaceQuery = (token: string | null) =>
  queryOptions({
    queryKey: ["live-place", token],
    queryFn: async ({ signal }): Promise<LivePlace> => {
      const { address } = await answerOf<{ address: string | null }>(await ask("", "/api/live", { signal }));
      if (address === null) {
        return { base: "", worlds: [], isLocked: false };
      }
      const response = await ask(address, "/api/v1/worlds", { headers: bearer(token), signal });
      if (response.status === UNAUTHORIZED) {
        return { base: address, worlds: [], isLocked: true };
      }
      const { worlds } = await answerOf<{ worlds: LiveWorldRow[] }>(response);
      return { base: address, worlds, isLocked: false };
    },
    // With another token the world is still the one that is shown, with all that was seen of it.
    placeholderData: keepPreviousData,
    // Whoever comes again and again with a wrong token is locked out.
    refetchInterval: ({ state }) => (state.data?.isLocked === true ? false : 5_000),
  });

/** Asks this server or another one; why another one is not heard, the browser itself would not say. */
async function ask(address: string, path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(liveUrl(address, path), options);
  } catch (failure) {
    if (options.signal?.aborted) {
      throw failure;
    }
    if (address === "") {
      throw new ApiError(0, "The server does not answer.");
    }
    throw new Error(
      `No answer from ${address}. Is “diorama live” running there, and does it let this page in, with DIORAMA_CORS_ORIGINS=${window.location.origin}?`,
    );
  }
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (!response.ok) {
    throw new ApiError(response.status, describeRefusal(await response.json().catch(() => null), response));
  }
  return (await response.json()) as Answer;
}

/** Returns the header that says who asks; none without a token. */
export function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Returns the address of a path of the live process. */
export function liveUrl(base: string, path: string): string {
  return base === "" ? apiUrl(path) : `${base}${path}`;
}

export function liveSocketUrl(base: string, path: string): string {
  const address = liveUrl(base, path);
  return (address.startsWith("http") ? address : `${window.location.origin}${address}`).replace(/^http/, "ws");
}
