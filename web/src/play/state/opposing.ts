import type { SessionState } from "../../api/types";

const EMPTY = -1;

/** Seats that are against the person's: those of other sides, and in a world without sides all others. */
export function opposingSeats({ agents, seat: own, sides }: Pick<SessionState, "agents" | "seat" | "sides">): number[] {
  const against = (seat: number) =>
    sides === null ? seat !== own : sides[seat] !== sides[own] && sides[seat] !== EMPTY;
  return Array.from({ length: agents }, (_, seat) => seat).filter(against);
}
