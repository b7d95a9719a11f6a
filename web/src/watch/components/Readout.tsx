import type { Frame, WorldDescriptor } from "../../api/types";
import { actionKey, decisionOf, tellingOptions } from "../../renderers/decisions";
import type { RenderState } from "../../renderers/renderer";
import type { WorldScene } from "../../renderers/sceneQuery";
import { EventBadges } from "../../renderers/ui/EventBadges";
import { humanize } from "../../renderers/ui/labels";
import { formatNumber } from "../../shared/format";
import { rewardOf } from "../state/summary";
import classes from "./Readout.module.css";

interface Props {
  frame: Frame | undefined;
  /** The moment before the step, in which its action was chosen. */
  before: RenderState | undefined;
  descriptor: WorldDescriptor;
  scene: WorldScene;
  /** Whether frames could not be loaded, so that a missing one does not come by itself. */
  isBroken: boolean;
}

/** What the step on screen did: time, reward, action and events. */
export function Readout({ frame, before, descriptor, scene, isBroken }: Props) {
  if (frame === undefined) {
    const words = isBroken ? "This frame could not be loaded." : "This frame is on its way.";
    return <div className={classes.readout}>{words}</div>;
  }
  const heads = descriptor.action_heads;
  const decision = decisionOf(heads, frame.action);
  const keys = tellingOptions(heads, decision, descriptor.action_relevance).map((option) => actionKey(heads, option));
  const titles = keys.map((key) => (before === undefined ? humanize(key) : scene.module.actionText(key, before).title));
  return (
    <div className={classes.readout} data-testid="readout">
      <Field name="t" value={frame.t.toLocaleString("en")} hint="Simulated time after the step, in ticks" />
      <Field name="dt" value={`${frame.dt}`} hint="Ticks the step took" />
      <Field name="reward" value={formatNumber(rewardOf(frame))} hint="Reward of the step" />
      <span className={classes.action} title={keys.join(", ")}>
        <b>{titles.length === 0 ? "No action" : titles.join(" · ")}</b>
        <span className={classes.number}>
          action {decision === null ? "–" : decision.join(" ")}
          {heads.length === 1 && keys.length > 0 && ` · ${keys[0]}`}
        </span>
      </span>
      <EventBadges events={frame.events} scene={scene} />
    </div>
  );
}

function Field({ name, value, hint }: { name: string; value: string; hint: string }) {
  return (
    <span className={classes.field} title={hint}>
      <span>{name}</span>
      <b data-field={name}>{value}</b>
    </span>
  );
}
