import { defineConfig } from "vitest/config";

const MINUTE_MS = 60_000;

/** The web client on a real server in a real browser; one test at a time, since machines may be small. */
export default defineConfig({
  test: {
    include: ["e2e/**/*.e2e.ts"],
    environment: "node",
    globalSetup: "e2e/fixtures/globalSetup.ts",
    fileParallelism: false,
    maxWorkers: 1,
    retry: 0,
    testTimeout: 10 * MINUTE_MS,
    hookTimeout: 3 * MINUTE_MS,
    teardownTimeout: 3 * MINUTE_MS,
    expect: { poll: { timeout: 2 * MINUTE_MS, interval: 200 } },
    reporters: ["verbose"],
  },
});
