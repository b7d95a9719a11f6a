import type { RenderState, Subject, Tone } from "../renderer";
import { asMorphogenesis, HOST, type SlotState } from "./state";
import { blueprintName, points, STAGE_WORDS, stageText } from "./words";

/** What can be looked at: the host as a whole, and each slot. */
export function subjects(state: RenderState): Subject[] {
  const now = asMorphogenesis(state);
  const own = { seat: 0, isOwn: true };
  const host: Subject = {
    key: HOST,
    label: "Host",
    hint: `The whole network: ${points(now.gain)} points over its twin`,
    tone: now.is_rolling_back || (now.gain ?? 0) < 0 ? "bad" : (now.gain ?? 0) > 0 ? "good" : "plain",
    ...own,
  };
  return [
    host,
    ...now.slots.map((slot) => ({
      key: slot.slot_id,
      label: slot.slot_id,
      hint: slotHint(slot),
      tone: slotTone(slot),
      ...own,
    })),
  ];
}

function slotHint({ stage, seed }: SlotState): string {
  return seed === null ? STAGE_WORDS[stage] : `${blueprintName(seed.blueprint)}: ${stageText(stage, seed)}`;
}

function slotTone({ seed }: SlotState): Tone {
  if (seed === null || seed.contribution === null) {
    return "plain";
  }
  return seed.contribution < 0 || !seed.is_healthy ? "bad" : "good";
}
