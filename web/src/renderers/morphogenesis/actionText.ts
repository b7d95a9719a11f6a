import type { ActionText, RenderState } from "../renderer";
import { humanize } from "../ui/labels";
import { asMorphogenesis, type MorphogenesisState, type Op, refusalOf, slotOf } from "./state";
import { blueprintName, stageText } from "./words";

const OP_TEXTS: Readonly<Record<Op, ActionText>> = {
  WAIT: { title: "Wait", detail: "Let an epoch pass." },
  GERMINATE: { title: "Plant", detail: "Puts a new module into an empty slot." },
  SET_ALPHA_TARGET: { title: "Change strength", detail: "Sends a blended seed to another strength." },
  PRUNE: { title: "Remove", detail: "Takes a seed out; the slot cools down afterwards." },
  FOSSILIZE: { title: "Make permanent", detail: "A seed at full strength becomes part of the host for good." },
  ADVANCE: { title: "Next stage", detail: "Leads a seed on: to training, to blending, to full strength." },
};

const OPTIONS: Readonly<Record<string, ActionText>> = {
  "style.LINEAR_ADD": { title: "Steady, added", detail: "Alpha rises evenly; the seed is added." },
  "style.LINEAR_MULTIPLY": { title: "Steady, scaling", detail: "Alpha rises evenly; the seed scales the features." },
  "style.SIGMOID_ADD": { title: "Gentle, added", detail: "Alpha rises slowly, fast, slowly; the seed is added." },
  "style.GATED_GATE": { title: "Gated", detail: "A small gate decides sample by sample how much is added." },
  "tempo.FAST": { title: "Fast", detail: "The shortest first ramp." },
  "tempo.STANDARD": { title: "Standard", detail: "A first ramp of middle length." },
  "tempo.SLOW": { title: "Slow", detail: "The longest first ramp." },
  "alpha_target.HALF": { title: "50%", detail: "Half strength." },
  "alpha_target.SEVENTY": { title: "70%", detail: "Most of the strength." },
  "alpha_target.FULL": { title: "100%", detail: "Full strength; a seed must be there to become permanent." },
  "alpha_speed.INSTANT": { title: "At once", detail: "No ramp." },
  "alpha_speed.FAST": { title: "Fast", detail: "A short ramp." },
  "alpha_speed.MEDIUM": { title: "Medium", detail: "A ramp of middle length." },
  "alpha_speed.SLOW": { title: "Slow", detail: "A long ramp." },
  "alpha_curve.LINEAR": { title: "╱ Even", detail: "The same step every epoch." },
  "alpha_curve.COSINE": { title: "∿ Cosine", detail: "Soft at both ends." },
  "alpha_curve.SIGMOID_GENTLE": { title: "⌒ Gentle", detail: "A soft S." },
  "alpha_curve.SIGMOID": { title: "⌢ S-shaped", detail: "Slow, fast, slow." },
  "alpha_curve.SIGMOID_SHARP": { title: "⊐ Sharp", detail: "Almost a jump in the middle." },
};

/** A friendly name for an option of a head, as things are now. */
export function actionText(key: string, state: RenderState): ActionText {
  const [head = "", option = ""] = key.split(".");
  switch (head) {
    case "op":
      return OP_TEXTS[option as Op] ?? { title: humanize(option), detail: "" };
    case "slot":
      return slotText(asMorphogenesis(state), option);
    case "blueprint":
      return { title: blueprintName(option), detail: `Blueprint ${option}.`, isHiddenWhenClosed: true };
    default:
      return OPTIONS[key] ?? { title: humanize(option), detail: "" };
  }
}

function slotText(state: MorphogenesisState, slotId: string): ActionText {
  const slot = slotOf(state, slotId);
  if (slot === undefined) {
    return { title: slotId, detail: "" };
  }
  const inside =
    slot.seed === null ? "Empty" : `${blueprintName(slot.seed.blueprint)}: ${stageText(slot.stage, slot.seed)}`;
  return { title: slotId, detail: `${inside}. ${slot.channels} channels.` };
}

/** Why an option cannot go with what is chosen on other heads; empty where it can. */
export function refusal(key: string, chosen: ReadonlySet<string>, state: RenderState): string {
  const [head = "", option = ""] = key.split(".");
  const op = [...chosen].find((one) => one.startsWith("op."))?.slice("op.".length);
  return head === "slot" && op !== undefined ? refusalOf(asMorphogenesis(state), op as Op, option) : "";
}
