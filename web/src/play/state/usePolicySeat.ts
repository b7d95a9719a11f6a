import { useEffect, useState } from "react";
import type { JsonObject, WorldDescriptor } from "../../api/types";
import type { Controls } from "./controls";
import type { Session } from "./sessionReducer";
import { useHint } from "./useHint";
import { useOpponent } from "./useOpponent";
import { usePageAdvice } from "./usePageAdvice";
import { usePagePolicy } from "./usePagePolicy";
import type { PlaySession } from "./usePlaySession";
import type { PolicyChoice } from "./usePolicyChoice";
import { usePolicyPlay } from "./usePolicyPlay";

/** Whether a policy plays against the person, and how that is changed. */
export interface Opposition {
  isOn: boolean;
  /** Whether that takes another episode. */
  isAnew: boolean;
  set: (isOn: boolean) => void;
}

interface Given {
  descriptor: WorldDescriptor;
  choice: PolicyChoice;
  play: PlaySession;
  session: Extract<Session, { status: "open" }>;
  /** How the person decides. */
  controls: Pick<Controls, "isRunning" | "stop">;
}

/** A policy beside a person: what it thinks, and what it is allowed to play. */
export function usePolicySeat({ descriptor, choice, play, session, controls }: Given) {
  const { state, rewrites, isBusy } = session;
  const page = usePagePolicy(choice.origin, descriptor);
  const policy = page.status === "ready" ? page.policy : null;
  const [wish, setDrawing] = useState<boolean | null>(null);
  const isOpposing = choice.isOpposing && state.agents > 1;
  const heads = descriptor.action_heads;
  const canDraw = policy === null ? heads.length === 1 : policy.facts.hasIndependentHeads;
  const isDrawing = canDraw && (wish ?? policy?.facts.isDrawn ?? false);

  const asked = useHint(state, rewrites, choice.serverRun);
  const thought = usePageAdvice(policy, state, rewrites);
  const advice = choice.isInPage ? thought : asked;
  useOpponent({ policy: isOpposing ? policy : null, isDrawing, state, play });
  const player = usePolicyPlay({
    advice,
    heads,
    isDrawing,
    state,
    isBusy,
    step: play.step,
    areOthersRunning: controls.isRunning,
    stopOthers: controls.stop,
  });

  // Another policy plays only when it is told to.
  const { stop } = player;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice is what changes
  useEffect(stop, [choice.value, choice.isInPage, choice.file]);

  /** In a world that is fought by sides a battle is started anew: elsewhere nobody commands the other side. */
  function opposition(): Opposition | null {
    if (policy === null || (state.agents === 1 && !descriptor.has_sides)) {
      return null;
    }
    const { world } = descriptor;
    const config = policy.facts.config ?? (state.config as JsonObject);
    return {
      isOn: isOpposing,
      isAnew: descriptor.has_sides && !isOpposing,
      set: (isOn) => {
        choice.setOpposing(isOn);
        if (isOn && descriptor.has_sides) {
          play.start({ world, config, bothSides: true });
        }
      },
    };
  }

  return {
    page,
    advice,
    player,
    isChosen: choice.value !== null && page.status !== "failed",
    drawing: canDraw ? { isOn: isDrawing, set: setDrawing } : null,
    opposing: opposition(),
  };
}
