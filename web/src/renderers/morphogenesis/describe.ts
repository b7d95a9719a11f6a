import type { RenderState } from "../renderer";
import { asMorphogenesis, type SlotState } from "./state";
import { blueprintName, percent, points, stageText } from "./words";

/** Tells in words what the picture shows. */
export function describe(state: RenderState): string {
  const now = asMorphogenesis(state);
  const beside = now.control_accuracy === null ? "" : `, the control twin ${percent(now.control_accuracy)}`;
  const seeds = now.slots.filter(({ seed }) => seed !== null).map(slotWords);
  return [
    `Epoch ${now.epoch} of ${now.max_epochs}: accuracy ${percent(now.accuracy)}${beside}.`,
    seeds.length === 0 ? "Nothing is planted." : `${seeds.join("; ")}.`,
    ...(now.is_rolling_back ? ["The host is being put back to its last snapshot."] : []),
  ].join(" ");
}

function slotWords({ slot_id, stage, seed }: SlotState): string {
  const worth = seed === null || seed.contribution === null ? "" : `, contribution ${points(seed.contribution)} points`;
  return `${slot_id} ${blueprintName(seed?.blueprint ?? "")} ${stageText(stage, seed).toLowerCase()}${worth}`;
}
