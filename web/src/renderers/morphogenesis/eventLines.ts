import { eventTone } from "../events";
import type { EventLine, RenderState } from "../renderer";
import { asMorphogenesis, type MorphogenesisState, type SeedState, type SlotState } from "./state";
import { blueprintName, points } from "./words";

/** Lines of one epoch, host first; more slots than this no host has. */
const IDS_AN_EPOCH = 100;

/** What the last epoch brought: seeds that entered a stage, and what befell the host. */
export function eventLines(state: RenderState): EventLine[] {
  const now = asMorphogenesis(state);
  const id = (place: number) => (now.round * now.max_epochs + now.epoch) * IDS_AN_EPOCH + place;
  const line = (place: number, kind: string, text: string, isMinor = false): EventLine => ({
    id: id(place),
    cause: null,
    tick: now.epoch,
    text,
    tone: eventTone(kind),
    isMinor,
  });
  const lines = now.slots.flatMap((slot, place) => {
    const told = changeOf(slot);
    return told === null ? [] : [line(place + 2, told.kind, told.text, told.isMinor)];
  });
  return [
    ...(now.is_rolling_back ? [line(0, "GOVERNOR_ROLLBACK", rollbackWords(now))] : []),
    ...refusedLine(now, (text) => line(1, "SEED_GATE_EVALUATED", text)),
    ...lines,
  ];
}

function changeOf(slot: SlotState): { kind: string; text: string; isMinor: boolean } | null {
  const { seed, stage, slot_id } = slot;
  if (seed === null || seed.epochs_in_stage !== 1) {
    return null;
  }
  const name = `${blueprintName(seed.blueprint)} in ${slot_id}`;
  const tell = (kind: string, text: string, isMinor = false) => ({ kind, text, isMinor });
  switch (stage) {
    case "GERMINATED":
      return tell("SEED_GERMINATED", `${name} was planted`);
    case "TRAINING":
      return tell("SEED_STAGE_CHANGED", `${name} began to learn beside the host`);
    case "BLENDING":
      return seed.previous_stage === "HOLDING"
        ? tell("SEED_STAGE_CHANGED", `${name} leaves full strength`)
        : tell("SEED_STAGE_CHANGED", `${name} fades in`);
    case "HOLDING":
      return tell("SEED_STAGE_CHANGED", `${name} stands at full strength`);
    case "FOSSILIZED":
      return tell("SEED_FOSSILIZED", `${name} became permanent${worthWords(seed)}`);
    default:
      return seed.previous_stage === "EMBARGOED" || (stage === "EMBARGOED" && seed.previous_epochs > 0)
        ? tell("SEED_STAGE_CHANGED", `Slot ${slot_id} cools down`, true)
        : tell("SEED_PRUNED", `${name} was removed`);
  }
}

function worthWords({ contribution }: SeedState): string {
  return contribution === null ? "" : `; without it the host would lose ${points(contribution).slice(1)} points`;
}

function rollbackWords({ rollbacks }: MorphogenesisState): string {
  return `The governor panicked: the host is put back to its last snapshot${rollbacks > 0 ? " again" : ""}`;
}

function refusedLine(now: MorphogenesisState, line: (text: string) => EventLine): EventLine[] {
  const last = now.last_action;
  return last === null || last.success ? [] : [line(`${last.op} on ${last.slot_id || "no slot"} was refused`)];
}
