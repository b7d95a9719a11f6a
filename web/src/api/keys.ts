/** Keys of the query cache; what follows a run writes to the same places that pages read. */
export const keys = {
  worlds: ["worlds"] as const,
  world: (world: string, variant: string | null) => ["world", world, "variant", variant] as const,
  worldOf: (world: string, configHash: string) => ["world", world, "config", configHash] as const,
  runs: (world: string | null, limit: number) => ["runs", world, limit] as const,
  allRuns: ["runs"] as const,
  run: (run: string) => ["run", run] as const,
  config: (run: string) => ["config", run] as const,
  windows: (run: string) => ["windows", run, "all"] as const,
  newestWindows: (run: string, limit: number) => ["windows", run, limit] as const,
  replays: (run: string) => ["replays", run] as const,
  champions: ["champions"] as const,
  bestReplays: (world: string | null) => ["best-replays", world] as const,
  completeness: (run: string) => ["completeness", run] as const,
  trackerStatus: ["tracker", "status"] as const,
  trackedRuns: ["tracker", "runs"] as const,
  trackedRun: (run: string) => ["tracker", "run", run] as const,
};
