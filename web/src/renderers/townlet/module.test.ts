import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, describe as suite } from "vitest";
import type { EffectsManifest, GraphicsManifest } from "../manifests";
import { actionText } from "./actionText";
import { aimOf } from "./aims";
import { daylightAt } from "./daylight";
import { describe } from "./describe";
import { eventLines } from "./eventLines";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { moodOf } from "./mood";
import { pickAt } from "./picks";
import { sampleCitizen, sampleState } from "./sample";
import { tintOf } from "./scene/light";
import { marksOf } from "./scene/marks";
import { standsOf } from "./scene/sight";
import { asTownlet, subjectOf } from "./state";
import { subjects } from "./subjects";
import { aboutWords, clock, itemWords } from "./words";

const FOLDER = join(__dirname, "../../../public/assets/townlet");
const effects = JSON.parse(readFileSync(join(FOLDER, "action_effects_manifest.json"), "utf8")) as EffectsManifest;
const graphics = JSON.parse(readFileSync(join(FOLDER, "graphics_manifest.json"), "utf8")) as GraphicsManifest;
const anything = () => true;
const eating = sampleState({
  citizens: [sampleCitizen({ option: "GetFed", is_busy: true, holds: 0 })],
  things: [{ object: 0, holder: 0, doing: "eat_meal", remaining: 5, duration: 15 }],
});

suite("words", () => {
  it("read the time of day as a clock does", () => {
    expect([0, 250, 999].map((tod) => clock(tod, 1000))).toEqual(["00:00", "06:00", "23:58"]);
  });

  it("tell what somebody does, waits for, or is after", () => {
    const [citizen] = eating.citizens;
    expect(citizen && aboutWords(eating, citizen)).toBe("eats");
    const waiting = sampleCitizen({ waits: 2, option: "GetFed" });
    expect(aboutWords(sampleState(), waiting)).toBe("waits for the fridge");
    expect(aboutWords(sampleState(), sampleCitizen({ option: "GoToWork" }))).toBe("is at or on the way to work");
    expect(aboutWords(sampleState(), sampleCitizen({ option: "GoToWork", at: [15, 4] }))).toBe("is at work");
  });

  it.each([
    ["food_raw", 1, "1 raw meal"],
    ["food_raw", 2, "2 raw meals"],
    ["groceries", 3, "3 bags of groceries"],
    ["desk_lamp", 4, "4 × desk lamp"],
  ])("count what somebody carries: %s × %d", (item, count, words) => {
    expect(itemWords(item, count)).toBe(words);
  });

  it("tell the whole town and what befalls it", () => {
    const blackout = { id: "evt_1", kind: "blackout", started_at: 290, ends_at: 320 } as const;
    const more = { magnitude: 1, prices: [], zone: null, seats: [] };
    const told = describe(sampleState({ perturbations: [{ ...blackout, ...more }] }));
    expect(told).toContain("Day 1, 07:12. Ada takes it easy (in home 1), Bram takes it easy (in the cafe).");
    expect(told).toContain("The power is out.");
  });

  it("tell prices and hours of options as they are now", () => {
    const state = sampleState({ seat: 0, prices: { meal_cost: [0.5, 0.9] } });
    expect(actionText("GetFed", state).detail).toContain("0.90 coins");
    expect(actionText("GoToWork", state).detail).toContain("As barista, 06:28–10:19");
    expect(actionText("MoveNorth", state)).toMatchObject({ title: "Walk north", family: "Direction" });
    expect(actionText("Interact0", { ...eating, seat: 0 }).title).toBe("Eat meal");
  });

  it("tell of somebody who is led step by step what was done last", () => {
    const walked = (changes: object) =>
      aboutWords(sampleState({ action_level: "primitive" }), sampleCitizen({ option: "Idle", ...changes }));
    expect(walked({ did: "MoveEast" })).toBe("walks east");
    expect(walked({ did: "MoveEast", succeeded: false })).toBe("is held up");
    expect(walked({ did: "Interact0" })).toBe("asks for a turn");
  });

  it("list what happened without causes, small things apart", () => {
    const event = { tick: 299, who: ["citizen_000"] };
    const lines = eventLines(
      sampleState({
        events: [
          { ...event, id: 1, kind: "queue_conflict", text: "Ada and Bram fell out" },
          { ...event, id: 2, kind: "ghost_step", text: "Ada squeezed past Bram" },
        ],
      }),
    );
    expect(lines).toMatchObject([
      { id: 1, cause: null, tone: "warn", isMinor: false },
      { id: 2, cause: null, isMinor: true },
    ]);
  });
});

suite("who is looked at", () => {
  it("is whoever was chosen, else the player's own, else the first", () => {
    expect(subjectOf(sampleState(), null)?.name).toBe("Ada");
    expect(subjectOf(sampleState({ seat: 1 }), null)?.name).toBe("Bram");
    expect(subjectOf(sampleState({ seat: 1 }), "citizen_000")?.name).toBe("Ada");
    expect(subjectOf(sampleState({ seat: 5 }), null)).toBeUndefined();
  });

  it("has a tone by mood and a seat to be played from", () => {
    const hungry = sampleState({
      seat: 1,
      citizens: [sampleCitizen({ needs: [0.1, 1, 1] }), sampleCitizen({ seat: 1 })],
    });
    expect(subjects(hungry).map(({ tone, seat, isOwn }) => [tone, seat, isOwn])).toEqual([
      ["bad", 0, false],
      ["good", 1, true],
    ]);
  });

  it("fills the gauges: needs, ties, reward, work and town", () => {
    const state = sampleState({
      citizens: [sampleCitizen({ ties: [[1, 0.4, 0.2, 0.9]] }), ...sampleState().citizens.slice(1)],
    });
    const gauges = new Map(hud(state, {}, "citizen_000").map((gauge) => [gauge.key, gauge]));
    expect(gauges.get("hunger")).toMatchObject({ text: "80%", share: 0.8, tone: "good" });
    expect(gauges.get("ties")?.rows).toMatchObject([{ label: "Bram", text: "trust 0.40 · known 0.20 · rivalry 0.90" }]);
    expect(gauges.get("ties")?.rows?.[0]?.share).toBeCloseTo(-0.6);
    expect(gauges.get("reward")).toMatchObject({ label: "Reward +0.0010" });
    expect(gauges.get("reward")?.rows?.map(({ label }) => label)).toEqual(["Being there", "Needs unmet"]);
    expect(gauges.get("job")?.text).toBe("Barista, 06:28–10:19");
    expect(gauges.get("prices")?.text).toBe("As usual");
  });

  it.each([
    [0, 300, 0, { attendance: 0 }, "No shift done yet"],
    [0, 430, 0, { attendance: 0, absences: 1 }, "No shift done yet"],
    [0, 431, 0, { attendance: 0 }, "0%"],
    [0, 431, 0, { attendance: 0.955 }, "96%"],
    [0, 999, null, { attendance: 0 }, "No shift done yet"],
    [8, 300, 0, { attendance: 0, absences: 0 }, "0%"],
    [8, 300, 0, { attendance: 0.5, absences: 2 }, "50%"],
  ])("judges attendance from the first shift on: day %d, tick %d, job %s, %o", (day, tod, job, record, words) => {
    const state = sampleState({ day, tod, citizens: [sampleCitizen({ job, ...record })] });
    expect(hud(state, {}).find(({ key }) => key === "attendance")?.text).toBe(words);
  });

  it("leaves the gauges of the town where nobody is left", () => {
    expect(hud(sampleState({ citizens: [] }), {}).map(({ key }) => key)).toEqual(["clock", "prices", "utilities"]);
  });
});

suite("suggestions", () => {
  const keys = (changes: Parameters<typeof sampleCitizen>[0], isOpen = anything as (key: string) => boolean) =>
    suggest(sampleState({ citizens: [sampleCitizen(changes)] }), isOpen).map(({ key }) => key);

  it("save a life first, then go to work, then see to the rest", () => {
    const open = (key: string) => key !== "AvoidRivals";
    expect(keys({ needs: [0.1, 0.4, 0.9] }, open)).toEqual(["GetFed", "GoToWork", "GetClean"]);
  });

  it("name only what is open", () => {
    expect(keys({ needs: [0.1, 1, 1], job: null }, (key) => key === "Socialise")).toEqual(["Socialise"]);
  });

  it("leave primitives to the player", () => {
    expect(suggest(sampleState({ action_level: "primitive" }), anything)).toEqual([]);
  });
});

suite("the picture", () => {
  it("shows moods by the worst need, and sleep", () => {
    const mood = (...needs: number[]) => moodOf(sampleState(), sampleCitizen({ needs }));
    expect([mood(0.9, 0.9, 0.9), mood(0.9, 0.6, 0.9), mood(0.4, 1, 1), mood(1, 1, 0.1)]).toEqual([
      "happy",
      "content",
      "worried",
      "miserable",
    ]);
    const bed = sampleState({ things: [{ object: 1, holder: 0, doing: "rest_sleep", remaining: 9, duration: 60 }] });
    expect(moodOf(bed, sampleCitizen({ is_busy: true, holds: 1 }))).toBe("asleep");
  });

  it("is dark at night, bright at noon, warm in between, and darker without power", () => {
    expect(daylightAt(500, 1000)).toEqual({ darkness: 0, glow: 0 });
    expect(daylightAt(0, 1000).darkness).toBe(1);
    expect(daylightAt(230, 1000).glow).toBeGreaterThan(0.9);
    const [lit, dark] = [tintOf(daylightAt(500, 1000), true), tintOf(daylightAt(500, 1000), false)];
    expect(dark.every((part, place) => part < (lit[place] ?? 0))).toBe(true);
  });

  it("lets people glide from where they were, and lies them down on their beds", () => {
    const before = sampleState({ citizens: [sampleCitizen({ at: [2, 3] })] });
    const now = sampleState({ citizens: [sampleCitizen()] });
    expect(standsOf(now, before, 0.5).get(0)).toMatchObject({ x: 3, isWalking: true, facing: 1 });
    expect(standsOf(now, before, 1).get(0)).toMatchObject({ x: 3.5, isWalking: false });
    expect(standsOf(now, null, 0.2).get(0)).toMatchObject({ x: 3.5, isWalking: false });
    const asleep = sampleState({
      citizens: [sampleCitizen({ at: [7, 3], is_busy: true, holds: 1 })],
      things: [{ object: 1, holder: 0, doing: "rest_sleep" }],
    });
    expect(standsOf(asleep, null, 1).get(0)?.y).toBeLessThan(3);
  });

  it("puts two who share a tile beside one another", () => {
    const crowd = sampleState({ citizens: [sampleCitizen(), sampleCitizen({ seat: 1, id: "citizen_001" })] });
    const [one, other] = [...standsOf(crowd, null, 1).values()];
    expect((other?.x ?? 0) - (one?.x ?? 0)).toBeGreaterThan(0.3);
  });

  it("marks everybody something happens to", () => {
    const chat = { id: 1, tick: 299, kind: "chat_success", text: "", who: ["citizen_000", "citizen_001"] };
    const gone = { id: 2, tick: 299, kind: "agent_exit", text: "", who: ["citizen_009"] };
    expect(marksOf(sampleState({ events: [chat, gone] }), effects)).toEqual([
      { seat: 0, picture: "vfx.chat" },
      { seat: 1, picture: "vfx.chat" },
    ]);
  });

  it("follows somebody, or takes in the whole town", () => {
    expect(aimOf(sampleState(), "citizen_001", "citizen").center).toEqual({ x: 14.5, y: -4.5 });
    const whole = aimOf(sampleState(), null, "town");
    expect([whole.width_m, whole.height_m]).toEqual([22, 20]);
  });

  it("has a picture for every object, option, mood and mark it draws", () => {
    const wanted = [
      ...["fridge", "stove", "bed", "shower", "till", "bench", "thing"].map((type) => `entity.object.${type}`),
      ...["happy", "content", "worried", "miserable", "asleep"].map((mood) => `entity.face.${mood}`),
      ...["get_fed", "get_clean", "go_to_work", "shop_groceries", "sleep", "socialise", "avoid_rivals"].map(
        (option) => `icon.option.${option}`,
      ),
      ...["zzz", "alert", "blackout", "outage", "prices", "meeting"].map((mark) => `vfx.${mark}`),
    ];
    expect(wanted.filter((key) => !(key in graphics.frames))).toEqual([]);
  });
});

it("refuses a render schema it does not know", () => {
  expect(() => asTownlet({ ...sampleState(), schema_version: 2 })).toThrow("render schema 2");
});

suite("a click", () => {
  const led = sampleState({ seat: 0, citizens: [sampleCitizen({ at: [4, 4] })] });
  const thing = led.map.objects[0];

  it("stands for the plan that a thing or the workplace serves", () => {
    const [, type, , x, y] = thing ?? ["", "", 0, 0, 0, 0, 0];
    expect([type, pickAt(led, [x, y])]).toEqual(["fridge", "GetFed"]);
    expect(pickAt(led, [15, 4])).toBe("GoToWork");
    expect(pickAt(led, [15, 14])).toBe("Socialise");
    expect(pickAt(led, [22, 22])).toBeNull();
    expect(pickAt({ ...led, seat: null }, [15, 4])).toBeNull();
  });

  it("is a step along the longer way where citizens are led step by step", () => {
    const walked = { ...led, action_level: "primitive" as const };
    const [, , , x, y] = thing ?? ["", "", 0, 0, 0, 0, 0];
    expect([pickAt(walked, [9, 5]), pickAt(walked, [4, 1]), pickAt(walked, [4, 4])]).toEqual([
      "MoveEast",
      "MoveNorth",
      "Wait",
    ]);
    const beside = { ...walked, citizens: [sampleCitizen({ at: [x, y + 1] })] };
    expect(pickAt(beside, [x, y])).toBe("Interact0");
  });
});
