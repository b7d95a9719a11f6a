import { expect, it, describe as suite } from "vitest";
import { actionText } from "./actionText";
import { aimOf } from "./aims";
import { describe } from "./describe";
import { eventLines } from "./eventLines";
import { between, depthNodes } from "./grid";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { knowledgeOf } from "./knowledge";
import { seaColor } from "./palette";
import { sampleContact, sampleOwn, sampleState, sampleTrack, sampleUnit } from "./sample";
import { salvoPlace } from "./scene/munitions";
import { rowOf } from "./scene/pointed";
import { iconsOf } from "./scene/ships";
import { asTidebreak, type MunitionState } from "./state";
import { TRUTH, tools } from "./tools";
import { compass, kilometers, shipName } from "./words";

const anything = () => true;
const torpedo: MunitionState = {
  id: 9,
  kind: "TORPEDO",
  weapon: "T450",
  team: "red",
  owner: 2,
  x: 2000,
  y: 0,
  h: 3.14,
  speed: 23,
  layers: [0],
  aim: [0, 0],
  armed: true,
  remaining: 90,
};

suite("knowledge", () => {
  const state = sampleState({ munitions: [torpedo, { ...torpedo, id: 10, x: 4000 }] });

  it("is everything where the truth is wanted", () => {
    const truth = knowledgeOf(state, TRUTH);
    expect([truth.side, truth.units.length, truth.munitions.length, truth.tracks.length]).toEqual([null, 2, 2, 0]);
  });

  it("of a side is its own ships, its tracks, and what comes near enough to be sensed", () => {
    const blue = knowledgeOf(state, "blue");
    expect(blue.units.map(({ team }) => team)).toEqual(["blue"]);
    expect(blue.tracks).toHaveLength(1);
    expect(blue.munitions.map(({ id }) => id)).toEqual([9]);
  });

  it("cannot be widened in the picture of a side", () => {
    const own = sampleState({ view: "blue", units: [sampleUnit()] });
    expect(knowledgeOf(own, TRUTH).side).toBe("blue");
    expect(tools(own, "human").map(({ key }) => key)).not.toContain("knowledge");
    expect(tools(state, "agent").map(({ key }) => key)).toContain("knowledge");
  });
});

suite("words", () => {
  it("read headings as a compass does and ranges as people do", () => {
    expect([0, Math.PI / 2, Math.PI, -Math.PI / 2].map(compass)).toEqual(["090°", "000°", "270°", "180°"]);
    expect([420, 5234].map(kilometers)).toEqual(["420 m", "5.2 km"]);
  });

  it("call ships by class and number, and by their id where it has another form", () => {
    expect(shipName(sampleUnit())).toBe("Corvette 1");
    expect(shipName(sampleUnit({ ship_id: "Invincible" }))).toBe("Invincible");
  });

  it("tell both sides of the truth, and only contacts of a side", () => {
    expect(describe(sampleState())).toContain("Red: Frigate 1 (hull 90%)");
    const side = describe(sampleState({ view: "blue", units: [sampleUnit()] }));
    expect(side).toContain("Hostile, small at 090°, 5.0 km");
    expect(side).not.toContain("Frigate");
  });

  it("name weapons and targets as they are now", () => {
    const state = sampleState({ own: [sampleOwn({ contacts: [sampleContact()] })] });
    expect(actionText("weapon.gun", state).detail).toBe("1 of 2 ready, 120 left, up to 7.0 km.");
    expect(actionText("weapon.mine", state).isHiddenWhenClosed).toBe(true);
    expect(actionText("target.row_0", state).short).toBe("1 · Hostile small 5.0 km");
    expect(actionText("layer.hold", state).title).not.toBe(actionText("weapon.hold", state).title);
  });

  it("put names for ids into what happened", () => {
    const event = { id: 4, tick: 11, kind: "HIT", source: 2, target: 1, cause: 3 };
    const lines = eventLines(sampleState({ events: [{ ...event, text: "red-01-frigate hit blue-01-corvette" }] }));
    expect(lines[0]).toMatchObject({ text: "Red frigate 1 hit Blue corvette 1", cause: 3, tone: "warn" });
    const contact = "the watch of blue-01-corvette made contact (Q0)";
    expect(eventLines(sampleState({ events: [{ ...event, text: contact }] }))[0]?.text).toBe(
      "The watch of Blue corvette 1 made contact (a cue)",
    );
  });
});

suite("gauges and icons", () => {
  it("show the commanded ship with its stores", () => {
    const keys = hud(sampleState()).map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(["hull", "fuel", "speed", "heading", "layer", "weapon_gun", "decoys"]));
    expect(keys).not.toContain("system_ballast");
  });

  it("show what is wrong, worst first", () => {
    expect(iconsOf(sampleUnit())).toEqual([]);
    const hurt = sampleUnit({ fire: 0.3, systems: [0.1, 1, 1, 1, 1], status: ["DISABLED"] });
    expect(iconsOf(hurt)).toEqual(["icon.status.disabled", "icon.status.fire", "icon.status.propulsion"]);
  });
});

suite("suggestions", () => {
  const withOwn = (own: Parameters<typeof sampleOwn>[0]) => sampleState({ own: [sampleOwn(own)] });
  const keys = (own: Parameters<typeof sampleOwn>[0]) => suggest(withOwn(own), anything).map(({ key }) => key);

  it("search while nothing is seen", () => {
    expect(keys({ ordered_throttle: 0 })).toEqual(["emissions.active", "throttle.ahead_65"]);
  });

  it("designate and fire when a weapon bears", () => {
    expect(keys({ contacts: [sampleContact({ can_engage: true })] })).toEqual(["target.row_0", "weapon.free"]);
  });

  it("turn toward what lies abeam, once", () => {
    const contacts = [sampleContact({ bearing: 1.5 })];
    expect(keys({ contacts, target_row: 0 })).toEqual(["rudder.left"]);
    expect(keys({ contacts, target_row: 0, ordered_rudder: 0.5 })).toEqual([]);
  });

  it("save the ship first", () => {
    expect(keys({ contacts: [sampleContact({ row: 14, kind: "munition" })] })[0]).toBe("support.decoy");
  });
});

suite("the sea", () => {
  it("is read from bytes on a square-root scale, and blended between nodes", () => {
    const data = btoa(String.fromCharCode(0, 255, 128, 1));
    const { meters } = depthNodes({ rows: 2, columns: 2, scale_m: 2000, data });
    expect([...meters].map(Math.round)).toEqual([0, 2000, 500, 0]);
    expect(between(meters, 2, 2, 0.5, 0)).toBeCloseTo(1000);
  });

  it("is darker where it is deeper", () => {
    const light = [10, 100, 500, 1900].map((depth) => seaColor(depth).reduce((sum, part) => sum + part, 0));
    expect(light).toEqual(light.toSorted((a, b) => b - a));
    expect(seaColor(0)).not.toEqual(seaColor(0.5));
  });
});

suite("the camera", () => {
  it("follows the ship, or takes in all that is known, or the whole map", () => {
    const state = sampleState();
    const truth = knowledgeOf(state, TRUTH);
    expect(aimOf(state, truth, "ship").center).toEqual({ x: 0, y: 0 });
    expect(aimOf(state, truth, "all").center).toEqual({ x: 2500, y: 0 });
    expect(aimOf(state, truth, "map")).toMatchObject({ center: { x: 0, y: 0 }, width_m: 16_000 * 1.15 });
  });
});

it("a salvo flies from where it was fired to where it will fall", () => {
  const salvo: MunitionState = { ...torpedo, kind: "SALVO", x: 0, y: 0, aim: [1000, 0], speed: 500, remaining: 1 };
  expect(salvoPlace(salvo)).toEqual({ x: 500, y: 0, heading: 0 });
});

it("a clicked contact is the row of the target head that lies there", () => {
  const state = sampleState({ own: [sampleOwn({ contacts: [sampleContact(), sampleContact({ row: 3, x: -900 })] })] });
  expect(rowOf(state, knowledgeOf(state, "blue"), sampleTrack())).toBe(0);
  expect(rowOf(state, knowledgeOf(state, "blue"), sampleTrack({ y: 4000 }))).toBeNull();
});

it("refuses a render schema it does not know", () => {
  expect(() => asTidebreak({ ...sampleState(), schema_version: 2 })).toThrow("render schema 2");
});
