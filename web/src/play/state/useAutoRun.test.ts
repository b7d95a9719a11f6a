import { expect, it } from "vitest";
import type { SessionState } from "../../api/types";
import { mayRepeat } from "./useAutoRun";

const state = (changes: object) => ({ is_over: false, action_mask: [1, 0], ...changes }) as unknown as SessionState;

it("repeats only what is open while the episode goes on", () => {
  expect(mayRepeat(state({}), 0)).toBe(true);
  expect(mayRepeat(state({}), 1)).toBe(false);
  expect(mayRepeat(state({ is_over: true }), 0)).toBe(false);
  expect(mayRepeat(state({}), null)).toBe(false);
  expect(mayRepeat(null, 0)).toBe(false);
});
