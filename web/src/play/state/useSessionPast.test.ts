import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { api } from "../../api/client";
import type { SessionState } from "../../api/types";
import type { RenderState, WorldModule } from "../../renderers/renderer";
import { useSessionPast } from "./useSessionPast";

const MODULE = { noteOf: ({ time }: RenderState) => time } as unknown as WorldModule;

const asked: string[] = [];

/** Answers with three moments at a time, as the interface does with its pages. */
function answerMoments() {
  vi.spyOn(api, "GET").mockImplementation((async (
    _path: string,
    { params }: { params: { path: { session_id: string }; query: { first: number } } },
  ) => {
    const { first } = params.query;
    asked.push(`${params.path.session_id} ${first}`);
    const count = Math.min(3, 6 - first);
    const render_states = Array.from({ length: count }, (_, place) => ({ time: 10 * (first + place) }));
    return { data: { session_id: "s", steps: 5, first, count, render_states }, response: new Response() };
  }) as unknown as typeof api.GET);
}

/** A session after so many decisions; `way` tells which of several it has taken. */
function at(steps: number, way = 0, session = "s", seed = 7): SessionState {
  return { session_id: session, seed, steps, render_state: { time: 10 * steps + way } } as unknown as SessionState;
}

beforeEach(answerMoments);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  asked.length = 0;
});

async function play(state: SessionState) {
  const hook = renderHook(({ now }: { now: SessionState }) => useSessionPast(MODULE, now), {
    initialProps: { now: state },
  });
  const show = (now: SessionState) => act(async () => hook.rerender({ now }));
  await act(async () => undefined);
  return { show, past: () => hook.result.current };
}

it("remembers every moment of a session that is played from its opening, and asks for none", async () => {
  const { show, past } = await play(at(0));
  await show(at(1));
  await show(at(2));
  expect(past()).toEqual({ notes: [0, 10, 20], isWhole: true });
  expect(asked).toEqual([]);
});

it("asks for the moments before a session was joined, such as those of a fork", async () => {
  const { show, past } = await play(at(5));
  await vi.waitFor(() => expect(past()).toEqual({ notes: [0, 10, 20, 30, 40, 50], isWhole: true }));
  expect(asked).toEqual(["s 0", "s 3"]);
  await show(at(6));
  expect(past().notes.at(-1)).toBe(60);
  expect(asked).toHaveLength(2);
});

it("forgets what was taken back", async () => {
  const { show, past } = await play(at(0));
  await show(at(1));
  await show(at(2));
  await show(at(1));
  expect(past().notes).toEqual([0, 10]);
  await show(at(2, 5));
  expect(past()).toEqual({ notes: [0, 10, 25], isWhole: true });
});

it("begins anew with another episode", async () => {
  const { show, past } = await play(at(0));
  await show(at(1));
  await show(at(0));
  expect(past().notes).toEqual([0]);
  await show(at(1));
  await show(at(0, 3, "s", 8));
  expect(past().notes).toEqual([3]);
});
