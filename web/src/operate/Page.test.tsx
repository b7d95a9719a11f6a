import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import OperatePage from "./Page";
import { useToken } from "./state/token";

const TOKEN = "a-token-of-somebody";
const WORLDS = { worlds: [{ id: "townlet", world: "townlet", run_id: "r", tick: 0, speed: "1x" }] };

/** A server that answers when it is told to, and a socket over which nothing comes. */
let isForAll = true;
/** Where the live worlds are; empty for the server of the page itself. */
let liveAddress = "";
/** How an address begins that nobody answers at. */
let silent: string | null = null;
let waiting: (() => void)[] = [];
class SilentSocket {
  close(): void {}
}
function answer(address: string, options?: RequestInit): Response {
  if (address.endsWith("/api/live")) {
    return Response.json({ address: liveAddress });
  }
  const isKnown = new Headers(options?.headers).get("Authorization") === `Bearer ${TOKEN}`;
  return isForAll || isKnown ? Response.json(WORLDS) : Response.json({}, { status: 401 });
}
const ask = (address: string, options?: RequestInit) =>
  new Promise<Response>((resolve, reject) =>
    waiting.push(() =>
      silent !== null && address.startsWith(silent)
        ? reject(new TypeError("Failed to fetch"))
        : resolve(answer(address, options)),
    ),
  );

/** Answers whatever is asked until nothing is. */
async function serve(client: QueryClient): Promise<void> {
  await act(() =>
    vi.waitUntil(() => {
      for (const reply of waiting.splice(0)) {
        reply();
      }
      return client.isFetching() === 0;
    }),
  );
}

function TokenSwitch() {
  const [token, setToken] = useToken();
  return (
    <button type="button" onClick={() => setToken(token === null ? TOKEN : null)}>
      switch
    </button>
  );
}

async function open(): Promise<QueryClient> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <TokenSwitch />
        <OperatePage />
      </MantineProvider>
    </QueryClientProvider>,
  );
  await serve(client);
  return client;
}
const switchToken = () => fireEvent.click(screen.getByText("switch"));

beforeEach(() => {
  waiting = [];
  isForAll = true;
  liveAddress = "";
  silent = null;
  vi.stubGlobal("fetch", ask);
  vi.stubGlobal("WebSocket", SilentSocket);
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

describe("the page of a live world", () => {
  it("stays as it is when a token is entered or dropped", async () => {
    const client = await open();
    const world = screen.getByLabelText("Waiting for the first message");
    for (const _ of ["entered", "dropped"]) {
      switchToken();
      expect(screen.getByLabelText("Waiting for the first message")).toBe(world);
      await serve(client);
      expect(screen.getByLabelText("Waiting for the first message")).toBe(world);
    }
  });

  it("does not call a token unknown before it was asked about", async () => {
    isForAll = false;
    const client = await open();
    expect(screen.getByText("This world is not shown")).toBeDefined();
    switchToken();
    expect(screen.queryByText("This world is not shown")).toBeNull();
    expect(screen.getByLabelText("Looking for live worlds")).toBeDefined();
    await serve(client);
    expect(screen.getByLabelText("Waiting for the first message")).toBeDefined();
  });

  it("says where no live world answers, and what may be wrong there", async () => {
    liveAddress = "http://live.example";
    silent = liveAddress;
    await open();
    const hint = screen.getByText(/No answer from http:\/\/live\.example/).textContent;
    expect(hint).toContain("Is “diorama live” running there");
    expect(hint).toContain(`DIORAMA_CORS_ORIGINS=${window.location.origin}`);
  });

  it("waits for its own server as every page does", async () => {
    silent = "";
    await open();
    expect(screen.getByText("Waiting for the server")).toBeDefined();
  });
});
