import { expect, it, describe as suite } from "vitest";
import { actionText } from "./actionText";
import { describe } from "./describe";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { sampleState } from "./sample";
import { headingOf, targetSlot } from "./scene/heading";
import { isHunted, isWarning } from "./scene/markers";
import { asProspector } from "./state";
import { placeDetail } from "./words";

const field = sampleState();
const station = sampleState({ node: { index: 0, type: "station", steps_to_station: 0 }, asteroids: [] });
const { sale_quotes: _, ...unquoted } = field;
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
    expect(actionText("SELL_COMMODITY_2_50PCT", field)).toMatchObject({
      short: "50%",
      detail: "4.5 units would bring 356 credits: 85 each, less 7% because of the size of the sale.",
    });
    expect(actionText("SELL_COMMODITY_2_50PCT", station)).toMatchObject({ short: "50% · 356" });
    expect(actionText("SELL_COMMODITY_2_50PCT", unquoted).detail).toContain("4.5 units at 85 credits");
    expect(actionText("SELECT_ASTEROID_0", field).detail).toContain("water ice (50%)");
  });

  it("describe the picture for those who cannot see it", () => {
    expect(describe(field)).toContain("Rock 0 is selected");
    expect(describe(field)).toContain("1: hazard field 9, high threat");
  });
});

suite("suggestions", () => {
  it("sell at the station before leaving: large amounts in portions, small ones whole, and say the same", () => {
    expect(suggest(station, anything).slice(0, 2)).toEqual([
      { key: "SELL_COMMODITY_2_50PCT", why: "Half of it loses 7% to the size of the sale, all at once 10%." },
      { key: "SELL_COMMODITY_0_100PCT", why: "Brings 168 credits; portions would gain little." },
    ]);
  });

  it("do not send a ship home to dig on, nor dig with a full hold", () => {
    const laden = sampleState({ ship: { ...field.ship, cargo_total: 61 } });
    expect(suggest(laden, anything)).toEqual([{ key: "TRAVEL_NEIGHBOR_0", why: "Time to bring the cargo home." }]);
    const thirsty = sampleState({ ship: { ...field.ship, fuel: 200, cargo_total: 0 } });
    expect(suggest(thirsty, anything)[0]?.why).toBe("Home is next door, and fuel runs low.");
    const full = sampleState({ ship: { ...field.ship, cargo_total: 200 }, neighbors: [] });
    expect(suggest(full, anything)).toEqual([]);
  });

  it("do not say to dig a rock and to look at it first", () => {
    const [rock] = field.asteroids;
    const on = (changes: object) => sampleState({ asteroids: rock === undefined ? [] : [{ ...rock, ...changes }] });
    const keys = (changes: object) => suggest(on(changes), anything).map(({ key }) => key);
    expect(keys({ scan_conf: 0.1 })).toEqual(["FOCUSED_SCAN_SELECTED"]);
    expect(keys({ scan_conf: 0.6 })).toEqual(["MINE_STANDARD_SELECTED"]);
    expect(keys({ stability_est: 0.2 })).toEqual(["STABILIZE_SELECTED", "MINE_CONSERVATIVE_SELECTED"]);
  });

  it("dig the selected rock in the field", () => {
    expect(suggest(field, anything)[0]?.key).toBe("MINE_STANDARD_SELECTED");
  });

  it("never name an action that is closed", () => {
    const isOpen = (key: string) => key !== "MINE_STANDARD_SELECTED";
    expect(suggest(field, isOpen).map((idea) => idea.key)).not.toContain("MINE_STANDARD_SELECTED");
  });
});

suite("the place", () => {
  const hot = { ...station.ship, heat: 104 };

  it.each([
    ["Docked and safe", station],
    ["Docked, but the hull burns", { ...station, ship: hot }],
    ["The ship is lost", { ...station, survival: 0 }],
    ["The ship is lost", { ...field, survival: 0 }],
    ["2 rocks to dig, 1 leg from the station", field],
  ])("says %s only where it is so", (words, state) => {
    expect(placeDetail(state)).toBe(words);
    expect(describe(state)).toContain(`: ${words.toLowerCase()}.`);
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
