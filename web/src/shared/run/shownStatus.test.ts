import { expect, test } from "vitest";
import { STALE_AFTER_MS, shownStatus } from "./shownStatus";

const updated_at = "2026-01-01T00:00:00Z";
const then = Date.parse(updated_at);

test("a running run goes stale after its silence", () => {
  expect(shownStatus({ status: "running", updated_at }, then + STALE_AFTER_MS)).toBe("running");
  expect(shownStatus({ status: "running", updated_at }, then + STALE_AFTER_MS + 1)).toBe("stale");
});

test("a finished run never does", () => {
  expect(shownStatus({ status: "completed", updated_at }, then + 100 * STALE_AFTER_MS)).toBe("completed");
});
