import { useCallback, useEffect, useState } from "react";
import { ApiError } from "../../api/errors";
import { type ConsoleState, closeConsole, openConsole, readConsole } from "./calls";

export type ConsoleSession =
  | { status: "opening" }
  | { status: "open"; state: ConsoleState }
  | { status: "failed"; message: string };

/** A page that comes straight back (React mounts twice while developing) keeps its console. */
const GRACE_MS = 1500;
const leaving = new Map<string, number>();

/**
 * A console with a program for as long as the page shows it.
 *
 * A page that is loaded again finds its console where it left it; one that was left for another page is switched off.
 */
export function useConsoleSession(world: string, program: string): [ConsoleSession, () => void] {
  const [session, setSession] = useState<ConsoleSession>({ status: "opening" });
  const [attempt, setAttempt] = useState(0);

  // Another attempt is another console.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    let isWanted = true;
    let id: string | null = null;
    setSession({ status: "opening" });
    openOrResume(world, program)
      .then((state) => {
        id = state.session_id;
        if (!isWanted) {
          leave(world, program, id);
          return;
        }
        keep(world, program, id);
        setSession({ status: "open", state });
      })
      .catch((failure: unknown) => {
        if (isWanted) {
          setSession({ status: "failed", message: failure instanceof Error ? failure.message : String(failure) });
        }
      });
    return () => {
      isWanted = false;
      if (id !== null) {
        leave(world, program, id);
      }
    };
  }, [world, program, attempt]);

  const reopen = useCallback(() => setAttempt((count) => count + 1), []);
  return [session, reopen];
}

const placeOf = (world: string, program: string) => `diorama.console.${world}.${program}`;

async function openOrResume(world: string, program: string): Promise<ConsoleState> {
  const kept = sessionStorage.getItem(placeOf(world, program));
  if (kept !== null) {
    window.clearTimeout(leaving.get(kept));
    leaving.delete(kept);
    try {
      return await readConsole(kept);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.isUnreachable) {
        throw failure;
      }
    }
  }
  return openConsole(world, program);
}

function keep(world: string, program: string, id: string): void {
  sessionStorage.setItem(placeOf(world, program), id);
}

function leave(world: string, program: string, id: string): void {
  const timer = window.setTimeout(() => {
    leaving.delete(id);
    if (sessionStorage.getItem(placeOf(world, program)) === id) {
      sessionStorage.removeItem(placeOf(world, program));
    }
    closeConsole(id);
  }, GRACE_MS);
  leaving.set(id, timer);
}
