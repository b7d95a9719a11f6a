import { formatWholePercent } from "../../shared/format";
import type { HudGauge, RenderState, Tone } from "../renderer";
import { asTidebreak, flagship, type OwnState, ownOf, type TidebreakState, type UnitState } from "./state";
import { compass, EMISSIONS, FOCUS, GROUPS, LAYERS, SYSTEMS, shipName } from "./words";

const SYSTEM_HINTS = [
  "Propulsion: how much of its speed the ship can make.",
  "Weapons: how quickly and surely they fire.",
  "Sensors: how far the ship sees.",
  "Power: everything needs it.",
  "Ballast: needed to change the depth.",
] as const;
const BALLAST = 4;

/** The gauges of the commanded ship. */
export function hud(state: RenderState): HudGauge[] {
  const now = asTidebreak(state);
  const unit = flagship(now);
  return unit === undefined ? [] : [...bars(unit, ownOf(now, unit)), ...facts(now, unit, ownOf(now, unit))];
}

function bars(unit: UnitState, own: OwnState | undefined): HudGauge[] {
  const isDiver = unit.class === "attack_sub" || unit.class === "deep_runner";
  const systems = SYSTEMS.map((label, place) =>
    share(`system_${label.toLowerCase()}`, label, unit.systems[place] ?? 0, SYSTEM_HINTS[place] ?? ""),
  ).filter((_, place) => place !== BALLAST || isDiver);
  const harm = [
    ...(unit.fire > 0.005 ? [harmShare("fire", "Fire", unit.fire, "Burns hull, crew and systems.")] : []),
    ...(unit.flood > 0.005 ? [harmShare("flood", "Flood", unit.flood, "Slows the ship, and sinks her at last.")] : []),
  ];
  const people = [share("morale", "Morale", unit.morale, "A crew without it surrenders.")];
  const stores = own === undefined ? [] : [share("fuel", "Fuel", own.fuel, "Share of the tank that is left.")];
  return [
    share("hull", "Hull", unit.hp, "Hit points. At zero the ship is lost."),
    ...harm,
    ...systems,
    ...people,
    ...stores,
  ];
}

function facts(state: TidebreakState, unit: UnitState, own: OwnState | undefined): HudGauge[] {
  const limit = own === undefined ? "" : ` of ${own.speed_limit.toFixed(0)}`;
  const helm =
    own === undefined
      ? []
      : [
          plain(
            "helm",
            "Helm",
            `${formatWholePercent(own.throttle)} · ${rudderWord(own.rudder)}`,
            "Throttle and rudder as they are.",
          ),
        ];
  const weapons = (own?.weapons ?? []).map((weapon) =>
    plain(
      `weapon_${weapon.group.toLowerCase()}`,
      GROUPS[weapon.group],
      `${weapon.ready}/${weapon.mounts} ready${weapon.ammo < 0 ? "" : ` · ${weapon.ammo} left`}`,
      "Mounts that can fire now, and what is left in the magazine.",
    ),
  );
  const crew =
    own === undefined
      ? []
      : [
          plain("decoys", "Decoys", `${own.decoys}`, "They draw torpedoes and missiles."),
          plain("dc_focus", "Damage control", FOCUS[own.dc_focus] ?? "", "What the repair parties work on first."),
          {
            ...plain("noise", "Noise", `${own.noise_db.toFixed(0)} dB`, "How loud the ship is under water."),
            tone: own.is_detected ? ("bad" as const) : ("plain" as const),
          },
        ];
  return [
    plain("ship", "Ship", shipName(unit), unit.ship_id),
    plain("speed", "Speed", `${unit.speed.toFixed(1)}${limit} m/s`, "Through the water, and the most she can make."),
    plain("heading", "Heading", compass(unit.h), "Compass degrees."),
    plain("layer", "Depth", depthWord(unit), "The layer the ship is in, or on its way to."),
    plain("emissions", "Emissions", EMISSIONS[unit.emissions], "How much the ship gives away of itself."),
    ...helm,
    ...weapons,
    ...crew,
    plain("tally", "Shots and hits", `${unit.shots} · ${unit.hits}`, "Fired and landed so far."),
    plain("time_remaining", "Time left", clock(state.time_remaining), "Until the battle is broken off."),
    plain("objective", "Orders", objectiveWord(state, unit), "What the ship is told to do, and how far it is."),
  ];
}

function share(key: string, label: string, value: number, hint: string): HudGauge {
  const tone: Tone = value > 0.6 ? "good" : value > 0.3 ? "fair" : "bad";
  return { key, label, text: formatWholePercent(value), share: clamp01(value), tone, hint };
}

function harmShare(key: string, label: string, value: number, hint: string): HudGauge {
  return { ...share(key, label, value, hint), tone: value > 0.3 ? "bad" : "fair" };
}

function plain(key: string, label: string, text: string, hint: string): HudGauge {
  return { key, label, text, tone: "plain", hint };
}

function depthWord(unit: UnitState): string {
  if (unit.mode === 1 && unit.target_layer !== null) {
    return `${LAYERS[unit.layer]} → ${LAYERS[unit.target_layer].toLowerCase()} ${formatWholePercent(unit.progress)}`;
  }
  return unit.mode === 2 ? "Popping up" : LAYERS[unit.layer];
}

function objectiveWord(state: TidebreakState, unit: UnitState): string {
  const objective = state.objective.find((one) => one.unit === unit.id);
  if (objective === undefined) {
    return "Fight";
  }
  const type = objective.type.charAt(0) + objective.type.slice(1).toLowerCase();
  return `${type}, ${objective.status.toLowerCase()} ${formatWholePercent(objective.progress)}`;
}

function rudderWord(rudder: number): string {
  return Math.abs(rudder) < 0.05
    ? "midships"
    : `${formatWholePercent(Math.abs(rudder))} ${rudder > 0 ? "left" : "right"}`;
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}
