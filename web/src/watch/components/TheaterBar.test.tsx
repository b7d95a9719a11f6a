import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { worldQuery } from "../../api/queries";
import type { WorldDescriptor } from "../../api/types";
import { replayEntry, runRow } from "../../shared/testing";
import type { ReplayRef } from "../state/deepLink";
import { TheaterBar } from "./TheaterBar";

afterEach(cleanup);

const REF = { run: "run", replay: "a" };
const REPLAYS = [replayEntry({ replay_id: "a" })];

interface Shown {
  compare: ReplayRef | null;
  canTakeOver: boolean;
  hasPixels: boolean;
}

function show({ compare = null, canTakeOver = true, hasPixels = false }: Partial<Shown> = {}) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(worldQuery("w").queryKey, {
    obs_layout: hasPixels ? [{ dtype: "uint8", shape: [72, 80] }] : [],
  } as unknown as WorldDescriptor);
  const { hook, history } = memoryLocation({ path: "/watch/run/a", record: true });
  const [onTakeOver, onAdvanced] = [vi.fn(), vi.fn()];
  const runs = [runRow({ run_id: "run", replay_count: 1 })];
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <Router hook={hook}>
          <TheaterBar
            selection={{
              runs,
              champions: [],
              run: runs[0] ?? null,
              runId: "run",
              replays: REPLAYS,
              ref: REF,
              compare,
              linkedTick: null,
              isLoading: false,
              error: null,
              retry: () => undefined,
            }}
            replayRef={REF}
            listed={REPLAYS}
            current={REPLAYS[0]}
            world="w"
            tick={120}
            live={<p>followed</p>}
            canTakeOver={canTakeOver}
            isTakingOver={false}
            onTakeOver={onTakeOver}
            onAdvanced={onAdvanced}
          />
        </Router>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { history, onTakeOver, onAdvanced };
}

const button = (name: string) => screen.queryByRole<HTMLButtonElement>("button", { name });

it("offers what can be done with a replay", () => {
  const { onTakeOver, onAdvanced } = show();
  fireEvent.click(screen.getByRole("button", { name: "Take over from here" }));
  fireEvent.click(screen.getByRole("button", { name: "Advanced" }));

  expect([onTakeOver, onAdvanced].map((called) => called.mock.calls.length)).toEqual([1, 1]);
  expect(button("Compare")).not.toBeNull();
  expect(button("End comparison")).toBeNull();
  expect(screen.getByText("followed")).toBeDefined();
});

it("does not take over what has no frames", () => {
  const { onTakeOver } = show({ canTakeOver: false });
  expect(button("Take over from here")?.disabled).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Take over from here" }));
  expect(onTakeOver).not.toHaveBeenCalled();
});

it("ends a comparison at the moment on screen", () => {
  const { history } = show({ compare: { run: "run", replay: "b" } });
  expect(button("Compare")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "End comparison" }));
  expect(history.at(-1)).toBe("/watch/run/a?t=120");
});

it("leads to the wall where agents see pixels", () => {
  show();
  expect(screen.queryByRole("link", { name: "Wall" })).toBeNull();
  cleanup();
  show({ hasPixels: true });
  expect(screen.getByRole("link", { name: "Wall" }).getAttribute("href")).toBe("/wall?world=w");
});
