import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Locked } from "./components/Locked";
import { SystemPanel } from "./components/SystemPanel";
import { TrainingPanel } from "./components/TrainingPanel";
import { ConsolePalette } from "./console/ConsolePalette";
import { ConsoleClient } from "./state/console";
import type { LiveView } from "./state/LiveStore";
import { livePlaceQuery } from "./state/liveAddress";
import type { Orders } from "./state/useOrders";

const TOKEN = "a-token-of-somebody";
const view = { state: {}, events: [], narrations: [], trends: {} } as unknown as LiveView;

/** What the server answers, by the end of the path; whoever comes without the token is refused. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/api/live": { address: "" },
  "/api/v1/worlds": { worlds: [{ id: "townlet", world: "townlet", run_id: "r", tick: 0, speed: "1x" }] },
  "/training": { run_id: "tuesday", records: [{ loss_policy: 0.5 }, { loss_policy: 0.25 }] },
  "/snapshots": { snapshots: [{ path: "mine.json.gz", tick: 7, modified_at: "now" }] },
  "/console": {
    status: "ok",
    result: {
      commands: [
        {
          name: "kill",
          role: "admin",
          needs_id: true,
          summary: "Remove somebody.",
          usage: "kill agent_id",
          arguments: {},
        },
        { name: "noop", role: "viewer", needs_id: false, summary: "Do nothing.", usage: "noop", arguments: {} },
      ],
    },
  },
};

function answer(address: string, options?: RequestInit): Response {
  const path = Object.keys(ANSWERS).find((end) => address.endsWith(end)) ?? "";
  const token = new Headers(options?.headers).get("Authorization");
  if (path !== "/api/live" && token !== `Bearer ${TOKEN}`) {
    return Response.json({ detail: "a token is needed to watch" }, { status: 401 });
  }
  return Response.json(ANSWERS[path]);
}

function ordersOf(token: string | null): Orders {
  return { client: new ConsoleClient("", "townlet", token), given: [], give: async () => null };
}

async function show(panel: ReactElement): Promise<string> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">{panel}</MantineProvider>
    </QueryClientProvider>,
  );
  await act(() => vi.waitUntil(() => client.isFetching() === 0));
  return container.textContent ?? "";
}

beforeEach(() => vi.stubGlobal("fetch", async (address: string, options?: RequestInit) => answer(address, options)));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PANELS: Readonly<Record<string, (token: string | null) => ReactElement>> = {
  training: (token) => <TrainingPanel base="" id="townlet" token={token} />,
  snapshots: (token) => <SystemPanel view={view} orders={ordersOf(token)} canOperate />,
  console: (token) => <ConsolePalette orders={ordersOf(token)} canOperate />,
};
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  training: ["tuesday", "Policy loss", "0.25"],
  snapshots: ["mine.json.gz · tick 7", "Go back to it"],
  console: ["kill", "noop", "admin"],
};

describe("panels that ask the server", () => {
  it.each(Object.keys(PANELS))("%s shows the answer to whoever has the token", async (name) => {
    const text = await show((PANELS[name] as (token: string | null) => ReactElement)(TOKEN));
    for (const word of SHOWN[name] ?? []) {
      expect(text).toContain(word);
    }
  });

  it.each(Object.keys(PANELS))("%s says what is wrong where it is refused", async (name) => {
    const text = await show((PANELS[name] as (token: string | null) => ReactElement)(null));
    expect(text).toMatch(/could not|cannot|401|token is needed/i);
  });
});

describe("a world that shows itself to few", () => {
  const placeFor = (token: string | null) => new QueryClient().fetchQuery(livePlaceQuery(token));

  it("is found with its token alone", async () => {
    expect(await placeFor(null)).toMatchObject({ isLocked: true, worlds: [] });
    expect(await placeFor("another")).toMatchObject({ isLocked: true });
    expect((await placeFor(TOKEN)).worlds.map(({ id }) => id)).toEqual(["townlet"]);
  });

  it("says in the server's words why it looks at no token", async () => {
    const detail = "20 wrong tokens came from this address within a minute; none is looked at for 40 s";
    vi.stubGlobal("fetch", async (address: string) =>
      address.endsWith("/api/live") ? answer(address) : Response.json({ detail }, { status: 429 }),
    );
    await expect(placeFor(TOKEN)).rejects.toThrow(detail);
  });

  it("asks for a token in place of the page", async () => {
    const onToken = vi.fn();
    await show(<Locked token={null} onToken={onToken} />);
    fireEvent.change(screen.getByLabelText("Token"), { target: { value: TOKEN } });
    fireEvent.click(screen.getByRole("button", { name: "Use" }));
    expect(onToken).toHaveBeenCalledWith(TOKEN);
  });
});
