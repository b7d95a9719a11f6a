import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FrameStore } from "./FrameStore";
import { useDeepLink } from "./useDeepLink";

const TICKS_PER_FRAME = 10;
const LONGER_THAN_A_WRITE_MS = 1000;

beforeEach(() => {
  vi.useFakeTimers();
  window.history.replaceState(null, "", "/watch/r/p");
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function newStore(): FrameStore {
  return { frameAtTick: async (tick: number) => tick / TICKS_PER_FRAME } as unknown as FrameStore;
}

function moment(index: number) {
  return { index, t: index * TICKS_PER_FRAME };
}

/** A page with a replay on it; `sentTo` are the frames the address led it to since it was asked last. */
function openPage(linkedTick: number | null) {
  const dispatch = vi.fn();
  let props = {
    ref: { run: "r", replay: "p" },
    compare: null,
    linkedTick,
    store: newStore(),
    shown: moment(0),
    dispatch,
  };
  const { rerender } = renderHook((given: typeof props) => useDeepLink(given), { initialProps: props });
  return {
    change(changes: Partial<typeof props>) {
      props = { ...props, ...changes };
      rerender(props);
    },
    async sentTo(): Promise<number[]> {
      await vi.advanceTimersByTimeAsync(0);
      return dispatch.mock.calls.splice(0).map(([action]) => action.index);
    },
  };
}

it("opens a replay at the moment the address names", async () => {
  expect(await openPage(420).sentTo()).toEqual([0, 42]);
});

it("writes the moment on screen into the address, and is not led anywhere by that", async () => {
  const page = openPage(null);
  await page.sentTo();
  page.change({ shown: moment(7) });
  await vi.advanceTimersByTimeAsync(LONGER_THAN_A_WRITE_MS);
  expect(window.location.search).toBe("?t=70");

  page.change({ linkedTick: 70 });
  expect(await page.sentTo()).toEqual([]);
});

it("stays where it is when its frames come another way, though the address lags behind", async () => {
  const page = openPage(420);
  await page.sentTo();
  page.change({ shown: moment(60) });
  page.change({ store: newStore() });
  expect(await page.sentTo()).toEqual([]);

  await vi.advanceTimersByTimeAsync(LONGER_THAN_A_WRITE_MS);
  expect(window.location.search).toBe("?t=600");
});

it("goes where an address leads that was changed from outside, and to the start of another replay", async () => {
  const page = openPage(420);
  await page.sentTo();
  page.change({ linkedTick: 50 });
  expect(await page.sentTo()).toEqual([5]);

  page.change({ ref: { run: "r", replay: "q" }, linkedTick: null, store: newStore() });
  expect(await page.sentTo()).toEqual([0, 0]);
});
