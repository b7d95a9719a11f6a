import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import type { SessionState } from "../../api/types";
import type { Clock } from "./useClock";
import type { PlaySession } from "./usePlaySession";

/** Lets the opponent of this page decide at every moment that is shown, so that the clock always holds its newest decision. */
export function useHeldOthers(
  play: Pick<PlaySession, "opponent" | "decideOthers">,
  state: SessionState,
  clock: Pick<Clock, "isRunning" | "isOpen" | "holdOthers" | "pause">,
): void {
  const { opponent, decideOthers } = play;
  const { holdOthers, pause } = clock;
  const latest = useRef({ opponent, decideOthers, seat: state.seat });
  latest.current = { opponent, decideOthers, seat: state.seat };
  const work = useRef({ isUnderWay: false, isWantedAgain: false });

  // biome-ignore lint/correctness/useExhaustiveDependencies: every moment is decided about
  useEffect(() => {
    if (opponent === null || state.is_over) {
      return;
    }
    const mine = work.current;
    // A moment that comes while the last one is thought about waits; of several that wait only the newest counts.
    mine.isWantedAgain = true;
    const decideOnce = async () => {
      const asked = latest.current;
      // Whoever was asked may have been sent away meanwhile, or the person may have taken one of the seats.
      const isStillAsked = () => latest.current.opponent === asked.opponent && latest.current.seat === asked.seat;
      try {
        const others = await asked.decideOthers();
        if (others !== null && isStillAsked()) {
          holdOthers(others);
        }
      } catch (failure) {
        if (isStillAsked()) {
          pause();
          notifications.show({ message: failure instanceof Error ? failure.message : String(failure), color: "red" });
        }
      }
    };
    const decide = async () => {
      mine.isUnderWay = true;
      while (mine.isWantedAgain) {
        mine.isWantedAgain = false;
        await decideOnce();
      }
      mine.isUnderWay = false;
    };
    if (!mine.isUnderWay) {
      void decide();
    }
  }, [opponent, decideOthers, state, holdOthers, pause, clock.isRunning, clock.isOpen]);

  useEffect(() => {
    if (opponent !== null) {
      return () => holdOthers([]);
    }
  }, [opponent, holdOthers]);
}
