import { capitalize } from "../../shared/capitalize";
import { eventTone } from "../events";
import type { EventLine, RenderState } from "../renderer";
import { asTidebreak } from "./state";
import { withNames, withQuality } from "./words";

/** Kinds that follow from others at every turn; they tell causes and would bury what matters in a list. */
const MINOR = new Set([
  "MUNITION_SPENT",
  "DAMAGE",
  "HAZARD",
  "PING",
  "CONTACT_UPGRADED",
  "CONFLICT",
  "FIELD_SATURATED",
]);

export function eventLines(state: RenderState): EventLine[] {
  const { events, units, teams } = asTidebreak(state);
  const teamName = (team: string) => teams.find(({ team_id }) => team_id === team)?.name ?? team;
  return events.map(({ id, cause, tick, kind, text }) => ({
    id,
    cause,
    tick,
    text: capitalize(withQuality(withNames(text, units, teamName))),
    tone: eventTone(kind.toLowerCase()),
    isMinor: MINOR.has(kind),
  }));
}
