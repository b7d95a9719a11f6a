import { expect, test } from "vitest";
import { type FollowState, followStream } from "./followStream";

function answer(text: string, status = 200): Response {
  return new Response(text, { status });
}

/** Serves the answers one after another, then aborts; records what each request quoted. */
function scripted(answers: (() => Response)[]) {
  const abort = new AbortController();
  const quoted: (string | undefined)[] = [];
  const pauses: number[] = [];
  const open = async (_url: unknown, init?: RequestInit) => {
    quoted.push(new Headers(init?.headers).get("Last-Event-ID") ?? undefined);
    const next = answers.shift();
    if (next === undefined) {
      abort.abort();
      return answer("");
    }
    return next();
  };
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  return { abort, quoted, pauses, open: open as typeof fetch, pause };
}

test("a broken stream resumes after the last event it saw", async () => {
  const seen: string[] = [];
  const server = scripted([
    () => answer("id: 7\nevent: window\ndata: 1\n\nid: 8\ndata: lost in the ca"),
    () => {
      throw new TypeError("connection refused");
    },
    () => answer("id: 8\nevent: window\ndata: 2\n\n"),
  ]);

  const last = await followStream({
    url: "/follow",
    onEvent: (event) => seen.push(event.data),
    onState: () => undefined,
    signal: server.abort.signal,
    open: server.open,
    pause: server.pause,
  });

  expect(seen).toEqual(["1", "2"]);
  expect(server.quoted).toEqual([undefined, "7", "7", "8"]);
  expect(last).toBe("8");
});

test("pauses grow while the server is away and start small again after an event", async () => {
  const away = () => answer("", 503);
  const full = () => answer("", 429);
  const server = scripted([away, full, away, () => answer("data: x\n\n"), away]);

  await followStream({
    url: "/follow",
    onEvent: () => undefined,
    onState: () => undefined,
    signal: server.abort.signal,
    open: server.open,
    pause: server.pause,
  });

  expect(server.pauses).toEqual([1000, 2000, 4000, 1000, 2000]);
});

test.each([
  ["a refused stream", () => answer("", 404)],
  ["a stream that has told everything", () => new Response(null, { status: 204 })],
])("%s is not asked for again", async (_name, final) => {
  const states: FollowState[] = [];
  const server = scripted([final, () => answer("")]);

  await followStream({
    url: "/follow",
    onEvent: () => undefined,
    onState: (state) => states.push(state),
    signal: server.abort.signal,
    open: server.open,
    pause: server.pause,
  });

  expect(states).toEqual(["connecting", "gone"]);
  expect(server.quoted).toHaveLength(1);
});

test("a given id is quoted by the first request", async () => {
  const server = scripted([]);

  await followStream({
    url: "/follow",
    onEvent: () => undefined,
    onState: () => undefined,
    signal: server.abort.signal,
    lastEventId: "41",
    open: server.open,
    pause: server.pause,
  });

  expect(server.quoted).toEqual(["41"]);
});
