import { describe, expect, it } from "vitest";
import type { LiveView } from "./LiveStore";
import { Rewind } from "./rewind";

const at = (tick: number) => ({ tick }) as LiveView;

describe("looking back", () => {
  it("keeps the newest views and finds them by tick", () => {
    const rewind = new Rewind(3);
    for (const tick of [1, 2, 4, 8]) {
      rewind.add(at(tick));
    }
    expect(rewind.length).toBe(3);
    expect(rewind.at(rewind.indexOfTick(5))?.tick).toBe(4);
    expect(rewind.at(rewind.indexOfTick(0))?.tick).toBe(2);
  });

  it("forgets a future that was undone, and keeps one view of a tick", () => {
    const rewind = new Rewind(10);
    for (const tick of [5, 6, 6, 2]) {
      rewind.add(at(tick));
    }
    expect(rewind.length).toBe(1);
    expect(rewind.at(0)?.tick).toBe(2);
  });
});
