import { api } from "../api/client";
import { unwrap } from "../api/errors";
import type { WorldDescriptor } from "../api/types";
import { PolicyRefused, readFacts } from "./facts";
import { misfit } from "./fit";
import { type LoadedPolicy, openPolicy } from "./runtime";

const LARGEST_BYTES = 256 * 1024 * 1024;

/** Opens the newest policy of a run, which the server exports where nobody has yet. */
export async function policyOfRun(run: string, world: WorldDescriptor, signal: AbortSignal): Promise<LoadedPolicy> {
  const bytes = await unwrap(
    api.GET("/api/exports/{run_id}", { params: { path: { run_id: run } }, parseAs: "arrayBuffer", signal }),
  );
  return fitting(new Uint8Array(bytes as unknown as ArrayBuffer), world);
}

/** Opens a policy that lies on the visitor's machine; it is not sent anywhere. */
export async function policyOfFile(file: File, world: WorldDescriptor): Promise<LoadedPolicy> {
  if (file.size > LARGEST_BYTES) {
    throw new PolicyRefused(`The file has ${Math.round(file.size / 1e6)} MB; a policy may have 268.`);
  }
  return fitting(new Uint8Array(await file.arrayBuffer()), world);
}

/** Refuses what does not fit before the runtime is fetched. */
function fitting(bytes: Uint8Array, world: WorldDescriptor): Promise<LoadedPolicy> {
  const problem = misfit(readFacts(bytes), world);
  if (problem !== null) {
    throw problem;
  }
  return openPolicy(bytes);
}
