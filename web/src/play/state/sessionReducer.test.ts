import { describe, expect, it } from "vitest";
import type { SessionState } from "../../api/types";
import { reduceSession, type Session } from "./sessionReducer";

const at = (steps: number, action: number | null = 6) =>
  ({ session_id: "s", steps, action, reward: steps, events: ["mine"] }) as unknown as SessionState;

function play(count: number): Session {
  let session = reduceSession({ status: "opening" }, { type: "opened", state: at(0, null) });
  for (let step = 1; step <= count; step += 1) {
    session = reduceSession(reduceSession(session, { type: "busy" }), { type: "stepped", state: at(step) });
  }
  return session;
}

describe("a session", () => {
  it("remembers the moment before and what was done", () => {
    const session = play(2);
    expect(session).toMatchObject({ status: "open", isBusy: false, state: { steps: 2 }, previous: { steps: 1 } });
    expect(session.status === "open" && session.log.map((line) => line.step)).toEqual([1, 2]);
  });

  it("forgets what was taken back", () => {
    const session = reduceSession(play(5), { type: "undone", state: at(3) });
    expect(session.status === "open" && session.log.map((line) => line.step)).toEqual([1, 2, 3]);
    expect(session).toMatchObject({ previous: null, rewrites: 1 });
    expect(reduceSession(session, { type: "opened", state: at(0, null) })).toMatchObject({ rewrites: 2 });
  });

  it("stays where it was when the server refuses", () => {
    const session = reduceSession(play(1), { type: "refused", message: "the episode is over" });
    expect(session).toMatchObject({ state: { steps: 1 }, isBusy: false, refusal: "the episode is over" });
  });

  it("ignores answers that come after it ended", () => {
    const ended = reduceSession(play(1), { type: "ended" });
    expect(reduceSession(ended, { type: "stepped", state: at(2) })).toEqual({ status: "ended" });
  });

  it("keeps a bounded log", () => {
    const session = play(100);
    expect(session.status === "open" && session.log.length).toBe(40);
  });
});
