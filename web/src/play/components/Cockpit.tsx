import { useCallback } from "react";
import type { WorldDescriptor } from "../../api/types";
import { actionKey } from "../../renderers/decisions";
import type { RenderState } from "../../renderers/renderer";
import type { WorldScene } from "../../renderers/sceneQuery";
import { useSound } from "../../renderers/sound/useSound";
import { isRealTime } from "../state/realTime";
import type { Session } from "../state/sessionReducer";
import { useFactoredControls } from "../state/useFactoredControls";
import { useOrderControls } from "../state/useOrderControls";
import type { PlaySession } from "../state/usePlaySession";
import type { PolicyChoice } from "../state/usePolicyChoice";
import { useRefusal } from "../state/useRefusal";
import { useTurnControls } from "../state/useTurnControls";
import { Desk } from "./Desk";

interface Props {
  play: PlaySession;
  /** The policy that is asked. */
  choice: PolicyChoice;
  session: Extract<Session, { status: "open" }>;
  descriptor: WorldDescriptor;
  scene: WorldScene;
}

/** A session at the controls that suit its world. */
export function Cockpit(props: Props) {
  const { descriptor } = props;
  if (descriptor.action_relevance !== null && !isRealTime(descriptor)) {
    return <FactoredCockpit {...props} />;
  }
  const isByOrders = descriptor.action_heads.length > 1 || isRealTime(descriptor);
  return isByOrders ? <OrderCockpit {...props} /> : <TurnCockpit {...props} />;
}

function TurnCockpit({ play, choice, session, descriptor, scene }: Props) {
  const sound = useSound(scene, "play");
  const { state, isBusy } = session;
  const render = state.render_state as RenderState;
  const { module } = scene;
  const titleOf = useCallback(
    (action: number) => module.actionText(actionKey(descriptor.action_heads, action), render).title,
    [module, descriptor, render],
  );
  const refuse = useRefusal(state, sound);
  const controls = useTurnControls({ descriptor, play, state, isBusy, refuse, titleOf });
  return <Desk {...{ play, choice, session, descriptor, scene, sound, controls, titleOf }} />;
}

function OrderCockpit({ play, choice, session, descriptor, scene }: Props) {
  const sound = useSound(scene, "play");
  const { state } = session;
  const render = state.render_state as RenderState;
  const { module } = scene;
  const titleOf = useCallback(
    (action: number) => module.actionText(actionKey(descriptor.action_heads, action), render).title,
    [module, descriptor, render],
  );
  const refuse = useRefusal(state, sound);
  const { pixels, ...controls } = useOrderControls({
    descriptor,
    play,
    state,
    standing: module.standingHeads,
    refuse,
  });
  return <Desk {...{ play, choice, session, descriptor, scene, sound, controls, titleOf, pixels }} />;
}

function FactoredCockpit({ play, choice, session, descriptor, scene }: Props) {
  const sound = useSound(scene, "play");
  const { state, isBusy } = session;
  const render = state.render_state as RenderState;
  const { module } = scene;
  const titleOf = useCallback(
    (action: number) => module.actionText(actionKey(descriptor.action_heads, action), render).title,
    [module, descriptor, render],
  );
  const refusal = useCallback(
    (key: string, chosen: ReadonlySet<string>) => module.refusal?.(key, chosen, render) ?? "",
    [module, render],
  );
  const refuse = useRefusal(state, sound);
  const controls = useFactoredControls({ descriptor, play, state, isBusy, refuse, refusal, titleOf });
  return <Desk {...{ play, choice, session, descriptor, scene, sound, controls, titleOf }} />;
}
