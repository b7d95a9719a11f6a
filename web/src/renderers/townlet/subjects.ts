import type { RenderState, Subject } from "../renderer";
import { moodOf } from "./mood";
import { asTownlet } from "./state";
import { aboutWords } from "./words";

const TONES = { happy: "good", content: "good", worried: "fair", miserable: "bad", asleep: "plain" } as const;

/** Who can be looked at. */
export function subjects(state: RenderState): Subject[] {
  const now = asTownlet(state);
  return now.citizens.map((citizen) => ({
    key: citizen.id,
    label: citizen.name,
    hint: `${citizen.name} ${aboutWords(now, citizen)}`,
    tone: TONES[moodOf(now, citizen)],
    seat: citizen.seat,
    isOwn: citizen.seat === now.seat,
  }));
}
