import { formatWholePercent } from "../../shared/format";
import type { RenderState } from "../renderer";
import { asTidebreak, flagship, isPresent, OMNISCIENT, type TidebreakState } from "./state";
import { compass, kilometers, LAYERS, shipName, trackName } from "./words";

const TOLD = 6;

/** Tells in words what the picture shows. */
export function describe(state: RenderState): string {
  const now = asTidebreak(state);
  const unit = flagship(now);
  const sentences = [
    unit === undefined
      ? "No ship is afloat."
      : `${shipName(unit)} steers ${compass(unit.h)} at ${unit.speed.toFixed(1)} meters a second, ${LAYERS[unit.layer].toLowerCase()}, hull ${formatWholePercent(unit.hp)}.`,
    ...(now.view === OMNISCIENT ? forces(now) : knowledge(now)),
    now.munitions.length === 0 ? "" : `${now.munitions.length} munitions are under way.`,
    `Sea state ${now.weather.sea_state.toFixed(0)}, visibility ${now.weather.visibility_km.toFixed(0)} kilometers.`,
    now.outcome === null ? "" : outcomeWords(now),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function forces(state: TidebreakState): string[] {
  return state.teams.map((team) => {
    const present = state.units.filter((unit) => unit.team === team.team_id && isPresent(unit));
    const names = present.slice(0, TOLD).map((unit) => `${shipName(unit)} (hull ${formatWholePercent(unit.hp)})`);
    const more = present.length > TOLD ? ` and ${present.length - TOLD} more` : "";
    return present.length === 0 ? `${team.name} has nothing afloat.` : `${team.name}: ${names.join(", ")}${more}.`;
  });
}

function knowledge(state: TidebreakState): string[] {
  const from = flagship(state);
  const tracks = (state.tracks[state.view] ?? []).filter((track) => !track.is_munition);
  if (tracks.length === 0 || from === undefined) {
    return ["No contact is held."];
  }
  const lines = tracks.slice(0, TOLD).map((track) => {
    const [dx, dy] = [track.x - from.x, track.y - from.y];
    const range = track.bearing_only ? "at an unknown range" : kilometers(Math.hypot(dx, dy));
    return `${trackName(track)} at ${compass(Math.atan2(dy, dx))}, ${range}`;
  });
  return [`Contacts: ${lines.join("; ")}.`];
}

function outcomeWords(state: TidebreakState): string {
  const winner = state.teams.find((team) => team.team_id === state.outcome?.winner)?.name;
  return winner === undefined ? "The battle ended without a winner." : `${winner} won the battle.`;
}
