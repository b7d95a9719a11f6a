import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { SessionState } from "../../api/types";
import type { RenderState, WorldModule } from "../../renderers/renderer";
import { useSessionPast } from "./useSessionPast";

const MODULE = { noteOf: ({ time }: RenderState) => time } as unknown as WorldModule;

const server = vi.hoisted(() => {
  const asked: string[] = [];
  // The client of the interface takes the browser's fetch as it finds it when it is loaded.
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const first = Number(searchParams.get("first"));
    asked.push(`${pathname.split("/").at(-2)} ${first}`);
    const count = Math.min(3, 6 - first);
    const render_states = Array.from({ length: count }, (_, place) => ({ time: 10 * (first + place) }));
    return Response.json({ session_id: "s", steps: 5, first, count, render_states });
  });
  return { asked };
});

/** A session after so many decisions; `way` tells which of several it has taken. */
function at(steps: number, way = 0, session = "s", seed = 7): SessionState {
  return { session_id: session, seed, steps, render_state: { time: 10 * steps + way } } as unknown as SessionState;
}

afterEach(() => {
  cleanup();
  server.asked.length = 0;
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
  expect(server.asked).toEqual([]);
});

it("asks for the moments before a session was joined, such as those of a fork", async () => {
  const { show, past } = await play(at(5));
  const whole = { notes: [0, 10, 20, 30, 40, 50], isWhole: true };
  await vi.waitFor(() => expect(past()).toEqual(whole), { timeout: 20_000 });
  expect(server.asked).toEqual(["s 0", "s 3"]);
  await show(at(6));
  expect(past().notes.at(-1)).toBe(60);
  expect(server.asked).toHaveLength(2);
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
