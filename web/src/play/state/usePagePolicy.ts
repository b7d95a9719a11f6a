import { useEffect, useState } from "react";
import type { JsonObject, WorldDescriptor } from "../../api/types";
import { PolicyRefused } from "../../policy/facts";
import type { LoadedPolicy } from "../../policy/runtime";

/** Where a policy comes from that runs in this page. */
export type PolicyOrigin = { run: string } | { file: File };

export type PagePolicy =
  | { status: "off" | "loading" }
  | { status: "failed"; message: string; config: JsonObject | null }
  | { status: "ready"; policy: LoadedPolicy };

const OFF: PagePolicy = { status: "off" };

/** Opens a policy for a world, and lets go of it when another one is chosen. */
export function usePagePolicy(origin: PolicyOrigin | null, descriptor: WorldDescriptor): PagePolicy {
  const [found, setFound] = useState<{ origin: PolicyOrigin; policy: PagePolicy } | null>(null);

  useEffect(() => {
    if (origin === null) {
      return;
    }
    const leaving = new AbortController();
    const opening = open(origin, descriptor, leaving.signal);
    opening.then(
      (policy) => !leaving.signal.aborted && setFound({ origin, policy: { status: "ready", policy } }),
      (failure: unknown) =>
        !leaving.signal.aborted && setFound({ origin, policy: { status: "failed", ...told(failure) } }),
    );
    return () => {
      leaving.abort();
      setFound(null);
      void opening.then((policy) => policy.release()).catch(() => undefined);
    };
  }, [origin, descriptor]);

  if (origin === null) {
    return OFF;
  }
  return found?.origin === origin ? found.policy : { status: "loading" };
}

async function open(origin: PolicyOrigin, descriptor: WorldDescriptor, signal: AbortSignal): Promise<LoadedPolicy> {
  // Few people open a policy: what it takes is fetched when they do.
  const { policyOfFile, policyOfRun } = await import("../../policy/source");
  return "run" in origin ? policyOfRun(origin.run, descriptor, signal) : policyOfFile(origin.file, descriptor);
}

function told(failure: unknown): { message: string; config: JsonObject | null } {
  return {
    message: failure instanceof Error ? failure.message : String(failure),
    config: failure instanceof PolicyRefused ? failure.config : null,
  };
}
