import { formatCount } from "../../shared/format";
import type { HudGauge, RenderState, Tone } from "../renderer";
import { oneDecimal, whole } from "./format";
import { asProspector, COMMODITIES, COMMODITY_TITLES, type ProspectorState } from "./state";
import { placeTitle } from "./words";

/** What full gauges mean; the observation's own scales. */
const FULL = { fuel: 1000, hull: 100, heat: 100, tool: 100, alert: 100, cargo: 200 } as const;

export function hud(state: RenderState, colors: Readonly<Record<string, string>>): HudGauge[] {
  const now = asProspector(state);
  const { ship } = now;
  return [
    level(
      "fuel",
      "Fuel",
      ship.fuel,
      FULL.fuel,
      false,
      "Units of fuel in the tank, of 1,000. Empty anywhere but at the station ends the run.",
    ),
    level("hull", "Hull", ship.hull, FULL.hull, false, "Hull strength, of 100. At zero the ship is lost."),
    level(
      "heat",
      "Heat",
      ship.heat,
      FULL.heat,
      true,
      "Heat, of 100. Above 70 the drill loses power, above 100 the hull burns.",
    ),
    level(
      "tool",
      "Tool",
      ship.tool,
      FULL.tool,
      false,
      "Condition of the drill, of 100. A worn drill yields less and breaks rocks.",
    ),
    level(
      "alert",
      "Alert",
      ship.alert,
      FULL.alert,
      true,
      "How much attention the ship draws, of 100. Pirates come sooner when it is high.",
    ),
    cargo(now, colors),
    plain("credits", "Credits", whole(now.credits), "Credits in the bank."),
    {
      ...plain("net_profit", "Net profit", whole(now.net_profit), "Credits gained since the start."),
      tone: sign(now.net_profit),
    },
    {
      ...plain(
        "survival",
        "Survival",
        now.survival >= 1 ? "alive" : "lost",
        "Whether the ship has come through so far.",
      ),
      tone: now.survival >= 1 ? "good" : "bad",
    },
    plain("place", "Place", placeTitle(now), `${formatCount(now.node.steps_to_station, "leg")} from the station.`),
    plain(
      "time_remaining",
      "Time left",
      `${whole(now.time_remaining)} ticks`,
      "Simulated time until the run is cut off.",
    ),
    plain(
      "supplies",
      "Supplies",
      [
        formatCount(ship.repair_kits, "repair kit"),
        formatCount(ship.stabilizers, "stabilizer"),
        formatCount(ship.decoys, "decoy"),
      ].join(", "),
      "For tool and hull, for unsteady rocks, and against pirates.",
    ),
  ];
}

function level(
  key: string,
  label: string,
  value: number,
  full: number,
  isBadWhenHigh: boolean,
  hint: string,
): HudGauge {
  const share = Math.min(1, Math.max(0, value / full));
  return { key, label, text: whole(value), share, tone: toneOf(isBadWhenHigh ? 1 - share : share), hint };
}

function cargo({ ship }: ProspectorState, colors: Readonly<Record<string, string>>): HudGauge {
  const parts = ship.cargo.map((units, commodity) => ({
    label: COMMODITY_TITLES[commodity] ?? "",
    value: units,
    share: units / FULL.cargo,
    color: colors[`commodity.${COMMODITIES[commodity]}`] ?? "#94a3b8",
  }));
  const share = Math.min(1, ship.cargo_total / FULL.cargo);
  return {
    key: "cargo",
    label: "Cargo",
    text: `${oneDecimal(ship.cargo_total)} / ${FULL.cargo}`,
    share,
    tone: "plain",
    hint: "Units in the hold by commodity, of 200.",
    parts,
  };
}

function plain(key: string, label: string, text: string, hint: string): HudGauge {
  return { key, label, text, tone: "plain", hint };
}

function toneOf(goodness: number): Tone {
  if (goodness <= 0.25) {
    return "bad";
  }
  return goodness <= 0.5 ? "fair" : "good";
}

function sign(value: number): Tone {
  if (value === 0) {
    return "plain";
  }
  return value > 0 ? "good" : "bad";
}
