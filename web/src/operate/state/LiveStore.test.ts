import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveStore } from "./LiveStore";
import type { Envelope } from "./messages";

function message(given: Partial<Envelope> & { seq: number }): Envelope {
  return {
    schema_version: "0.3.0",
    world: "townlet",
    run_id: "run",
    config_id: "town",
    payload_type: "diff",
    tick: given.seq,
    day: 0,
    tod: given.seq,
    base_seq: given.seq - 1,
    state: {},
    events: [],
    narrations: [],
    aggregated: 1,
    ...given,
  };
}

const opening = message({
  seq: 4,
  payload_type: "snapshot",
  state: { agents: { ada: { needs: { hunger: 0.5 } } }, utilities: { power: true } },
});

describe("a live store", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("rebuilds the state from a snapshot and what changed", () => {
    const store = new LiveStore();
    expect(store.take(opening, 0)).toBe("applied");
    expect(store.take(message({ seq: 5, state: { agents: { ada: { needs: { hunger: 0.4 } } } } }), 100)).toBe(
      "applied",
    );
    vi.advanceTimersByTime(100);

    expect(store.current()?.state).toEqual({
      agents: { ada: { needs: { hunger: 0.4 } } },
      utilities: { power: true },
    });
    expect(store.current()?.trends.ada?.hunger).toEqual([0.5, 0.4]);
  });

  it("waits for a snapshot before and after a gap", () => {
    const store = new LiveStore();
    expect(store.take(message({ seq: 3 }), 0)).toBe("waiting");
    store.take(opening, 0);
    expect(store.take(message({ seq: 7, state: { utilities: { power: false } } }), 0)).toBe("gap");
    expect(store.take(message({ seq: 8 }), 0)).toBe("waiting");
    expect(store.current()?.state.utilities).toEqual({ power: true });
    expect(store.take({ ...opening, seq: 9 }, 0)).toBe("applied");
    expect(store.take(message({ seq: 10 }), 0)).toBe("applied");
  });

  it("keeps events and stories in order and tells its listeners", () => {
    const store = new LiveStore();
    let told = 0;
    store.listen(() => told++);
    store.take({ ...opening, events: [{ event: "agent_spawn", tick: 4 }] }, 0);
    store.take(message({ seq: 5, events: [{ event: "job_late", tick: 5 }] }), 100);
    vi.advanceTimersByTime(100);
    expect(store.current()?.events.map(({ event }) => event)).toEqual(["agent_spawn", "job_late"]);
    expect(told).toBe(2);
  });

  it("shows what comes thick and fast ten times a second, the newest of it", () => {
    const store = new LiveStore();
    store.take(opening, 0);
    for (let seq = 5; seq < 15; seq += 1) {
      store.take(message({ seq }), seq);
    }
    expect(store.current()?.tick).toBe(4);
    vi.advanceTimersByTime(100);
    expect(store.current()?.tick).toBe(14);
  });

  it("reads on while a page takes long to draw, and shows the newest afterwards", () => {
    const store = new LiveStore();
    let told = 0;
    store.listen(() => told++);
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
    store.take(opening, 0);
    vi.advanceTimersByTime(400);
    store.take(message({ seq: 5 }), 400);
    store.take(message({ seq: 6 }), 400);
    expect(store.current()?.tick).toBe(4);
    frames.shift()?.(400);
    frames.shift()?.(400);
    vi.advanceTimersByTime(249);
    expect(told).toBe(1);
    vi.advanceTimersByTime(1);
    expect([told, store.current()?.tick]).toEqual([2, 6]);
    vi.unstubAllGlobals();
  });

  it("goes on while nobody sees the page", () => {
    const store = new LiveStore();
    vi.stubGlobal("requestAnimationFrame", () => 0);
    store.take(opening, 0);
    store.take(message({ seq: 5 }), 10);
    vi.advanceTimersByTime(2000);
    expect(store.current()?.tick).toBe(5);
    vi.unstubAllGlobals();
  });

  it("refuses another major version and notices a newer minor one", () => {
    const store = new LiveStore();
    expect(store.take({ ...opening, schema_version: "1.0.0" }, 0)).toBe("other-version");
    expect(store.current()).toBeNull();
    store.take({ ...opening, schema_version: "0.4.0" }, 0);
    expect(store.isNewerMinor).toBe(true);
  });
});
