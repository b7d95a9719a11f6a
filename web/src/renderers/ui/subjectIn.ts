import type { Subject } from "../renderer";

/** Returns who is looked at: the one chosen, else the player's own, else the first. */
export function subjectIn(subjects: readonly Subject[] | undefined, chosen: string | null): Subject | undefined {
  return subjects?.find(({ key }) => key === chosen) ?? subjects?.find(({ isOwn }) => isOwn) ?? subjects?.[0];
}
