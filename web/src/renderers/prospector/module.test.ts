import { expect, it, describe as suite } from "vitest";
import { actionText } from "./actionText";
import { describe } from "./describe";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { sampleState } from "./sample";
import { headingOf, targetSlot } from "./scene/heading";
import { isHunted, isWarning } from "./scene/markers";
import { asProspector } from "./state";

const field = sampleState();
const station = sampleState({ node: { index: 0, type: "station", steps_to_station: 0 }, asteroids: [] });
const anything = () => true;

suite("head-up display", () => {
  it("shows every gauge of the specification", () => {
    const keys = hud(field, {}).map((gauge) => gauge.key);
    expect(keys).toEqual(
      expect.arrayContaining([
        "fuel",
        "hull",
        "heat",
        "tool",
        "cargo",
        "alert",
        "credits",
        "net_profit",
        "survival",
        "place",
        "time_remaining",
      ]),
    );
  });

  it("colors a low tank red and high heat red", () => {
    const worn = sampleState({ ship: { ...field.ship, fuel: 90, heat: 95 } });
    const tones = Object.fromEntries(hud(worn, {}).map((gauge) => [gauge.key, gauge.tone]));
    expect(tones).toMatchObject({ fuel: "bad", heat: "bad", hull: "good" });
  });
});

suite("words", () => {
  it("name the place a way leads to", () => {
    expect(actionText("TRAVEL_NEIGHBOR_0", field)).toMatchObject({ title: "Travel to station", short: "0 · Station" });
    expect(actionText("TRAVEL_NEIGHBOR_5", field).detail).toContain("No way");
  });

  it("tell what would be sold and what a rock seems to hold", () => {
    expect(actionText("SELL_COMMODITY_2_50PCT", field).detail).toContain("4.5 units at 85 credits");
    expect(actionText("SELECT_ASTEROID_0", field).detail).toContain("water ice (50%)");
  });

  it("describe the picture for those who cannot see it", () => {
    expect(describe(field)).toContain("Rock 0 is selected");
    expect(describe(field)).toContain("1: hazard field 9, high threat");
  });
});

suite("suggestions", () => {
  it("sell at the station before leaving", () => {
    expect(suggest(station, anything)[0]?.key).toBe("SELL_COMMODITY_2_100PCT");
  });

  it("dig the selected rock in the field", () => {
    expect(suggest(field, anything)[0]?.key).toBe("MINE_STANDARD_SELECTED");
  });

  it("never name an action that is closed", () => {
    const isOpen = (key: string) => key !== "MINE_STANDARD_SELECTED";
    expect(suggest(field, isOpen).map((idea) => idea.key)).not.toContain("MINE_STANDARD_SELECTED");
  });
});

suite("markers", () => {
  it("show pirates on an encounter or at an alert of 70", () => {
    expect(isHunted(field, [])).toBe(false);
    expect(isHunted(field, ["pirate_encounter"])).toBe(true);
    expect(isHunted(sampleState({ ship: { ...field.ship, alert: 70 } }), [])).toBe(true);
  });

  it("warn of refused actions and of thin hulls", () => {
    expect(isWarning(field, ["mine"])).toBe(false);
    expect(isWarning(field, ["invalid_action"])).toBe(true);
    expect(isWarning(sampleState({ ship: { ...field.ship, hull: 20 } }), [])).toBe(true);
  });
});

suite("aim", () => {
  it("prefers the rock an event names to the selected one", () => {
    const frame = { options: [29], events: ["fracture"], event_data: { fracture: { asteroid: 5, hull: 8 } } };
    expect(targetSlot(field, null, frame)).toBe(5);
    expect(targetSlot(field, null, undefined)).toBe(0);
  });

  it("follows the leg just flown", () => {
    const frame = { options: [3], events: ["travel"], event_data: { travel: { from: 0, to: 4, slot: 3, fuel: 20 } } };
    expect(headingOf(field, frame, null)).toBeCloseTo(Math.PI);
  });
});

it("refuses a render schema it does not know", () => {
  expect(() => asProspector({ ...field, schema_version: 2 })).toThrow("render schema 2");
});
