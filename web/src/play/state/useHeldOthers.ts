import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import type { SessionState } from "../../api/types";
import type { Clock } from "./useClock";
import type { PlaySession } from "./usePlaySession";

/** Lets the opponent of this page decide at every moment that is shown, so that the clock always holds its newest decision. */
export function useHeldOthers(play: PlaySession, state: SessionState, clock: Clock): void {
  const { opponent, decideOthers } = play;
  const { holdOthers, pause } = clock;
  const work = useRef({ isUnderWay: false, isWantedAgain: false });

  // biome-ignore lint/correctness/useExhaustiveDependencies: every moment is decided about
  useEffect(() => {
    if (opponent === null || state.is_over) {
      return;
    }
    const mine = work.current;
    // A moment that comes while the last one is thought about waits; of several that wait only the newest counts.
    mine.isWantedAgain = true;
    const decide = async () => {
      mine.isUnderWay = true;
      while (mine.isWantedAgain) {
        mine.isWantedAgain = false;
        holdOthers((await decideOthers()) ?? []);
      }
    };
    if (!mine.isUnderWay) {
      decide()
        .catch((failure: unknown) => {
          pause();
          notifications.show({ message: failure instanceof Error ? failure.message : String(failure), color: "red" });
        })
        .finally(() => {
          mine.isUnderWay = false;
        });
    }
  }, [opponent, decideOthers, state, holdOthers, pause, clock.isRunning]);

  useEffect(() => {
    if (opponent !== null) {
      return () => holdOthers([]);
    }
  }, [opponent, holdOthers]);
}
