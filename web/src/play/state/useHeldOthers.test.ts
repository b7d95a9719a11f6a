import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { SeatDecision, SessionState } from "../../api/types";
import { useHeldOthers } from "./useHeldOthers";
import type { Opponent } from "./usePlaySession";

afterEach(cleanup);

/** An opponent that thinks until it is told what to decide. */
function thinker() {
  const answers: ((others: readonly SeatDecision[]) => void)[] = [];
  const opponent: Opponent = () => new Promise((resolve) => answers.push(resolve));
  const answer = (...others: SeatDecision[]) => act(async () => answers.shift()?.(others));
  return { opponent, answer, asked: () => answers.length };
}

function shown(opponent: Opponent | null) {
  const held: (readonly SeatDecision[])[] = [];
  const clock = {
    isRunning: true,
    isOpen: true,
    pause: () => undefined,
    holdOthers: (others: readonly SeatDecision[]) => void held.push(others),
  };
  const at = (seat: number, steps: number) => ({ seat, steps, is_over: false }) as SessionState;
  const hook = renderHook(
    ({ who, state }: { who: Opponent | null; state: SessionState }) =>
      useHeldOthers({ opponent: who, decideOthers: async () => who?.(state, 0) ?? null }, state, clock),
    { initialProps: { who: opponent, state: at(0, 0) } },
  );
  const show = (who: Opponent | null, seat: number, steps: number) =>
    act(() => hook.rerender({ who, state: at(seat, steps) }));
  return { held, show };
}

describe("an opponent that takes time to think", () => {
  it("has its decision held", async () => {
    const mind = thinker();
    const { held } = shown(mind.opponent);
    await mind.answer({ seat: 1, action: 2 });
    expect(held).toEqual([[{ seat: 1, action: 2 }]]);
  });

  it("is not listened to any more once it was sent away", async () => {
    const mind = thinker();
    const { held, show } = shown(mind.opponent);
    show(null, 0, 0);
    await mind.answer({ seat: 1, action: 2 });
    expect(held).toEqual([[]]);
  });

  it("decides nothing for a seat that the person has taken, and makes room for the next opponent", async () => {
    const before = thinker();
    const after = thinker();
    const { held, show } = shown(before.opponent);
    show(before.opponent, 1, 0);
    show(after.opponent, 1, 0);
    await before.answer({ seat: 1, action: 2 });
    expect(held.flat()).toEqual([]);
    expect(before.asked()).toBe(0);
    await after.answer({ seat: 0, action: 3 });
    expect(held.at(-1)).toEqual([{ seat: 0, action: 3 }]);
  });
});
