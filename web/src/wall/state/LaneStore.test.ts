import { expect, it, vi } from "vitest";
import { LaneStore } from "./LaneStore";
import type { WallOpening } from "./messages";

const OPENING = { copies: 3, bytes_per_picture: 2 } as WallOpening;

it("keeps what every copy showed last", () => {
  const store = new LaneStore(OPENING);
  const listener = vi.fn();
  const stop = store.listen(listener);
  const marks = new Uint8Array(3);
  store.take({ number: 1, steps: 0, lanes: Uint16Array.of(0, 2), marks, bytes: Uint8Array.of(1, 2, 3, 4) });
  store.take({ number: 2, steps: 1, lanes: Uint16Array.of(2), marks, bytes: Uint8Array.of(5, 6) });
  stop();
  store.take({ number: 3, steps: 2, lanes: Uint16Array.of(), marks, bytes: Uint8Array.of() });

  expect([0, 1, 2].map((lane) => [...store.picture(lane)])).toEqual([
    [1, 2],
    [0, 0],
    [5, 6],
  ]);
  expect(listener).toHaveBeenCalledTimes(2);
});
