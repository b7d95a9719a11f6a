import { describe, expect, it } from "vitest";
import { bannerOf } from "./banners";
import { newsOf, viewOf } from "./testing";
import { readView } from "./view";
import {
  amountWords,
  battleOf,
  briefingWords,
  causesOf,
  concernWords,
  gaugeShare,
  newsByDay,
  newsWords,
  plain,
  shipWords,
  stockTone,
} from "./words";

describe("words", () => {
  it("are plain", () => {
    expect(plain("CORPORATE_MERITOCRACY")).toBe("corporate meritocracy");
    expect(amountWords({ FOOD: 399.6, MATERIALS: 60 })).toBe("400 food, 60 materials");
    expect(amountWords({})).toBe("nothing");
    expect(shipWords(["corvette", "frigate", "corvette"])).toBe("2 corvettes, 1 frigate");
  });

  it("tell how supplies stand", () => {
    expect(stockTone("EXHAUSTED")).toBe("bad");
    expect(stockTone(null)).toBe("dim");
    expect(gaugeShare(15)).toBe(0.5);
    expect(gaugeShare(400)).toBe(1);
    expect(gaugeShare(null)).toBe(0);
  });
});

describe("what the player is told", () => {
  it("does not speak of a command line", () => {
    expect(concernWords("siege of Haven (18% taken): order siege 1 PURGE|NEGOTIATE")).toBe(
      "Siege of Haven (18% taken)",
    );
    expect(concernWords("the Port offers a treaty (trade): order accept 9 or decline 9 before day 122")).toBe(
      "The Port offers a treaty (trade); answer before day 122",
    );
  });

  it("tells sides from surroundings in a briefing", () => {
    const briefing = ["Battle c-d1 at Haven, open water.", "Sea state 4.", "Accord: 2 cutters, task: patrol."];
    expect(briefingWords({ battle_id: "c-d1", side: "accord", briefing, ships: [] })).toEqual({
      opening: ["Battle at Haven, open water.", "Sea state 4."],
      sides: [{ name: "Accord", text: "2 cutters, task: patrol." }],
    });
  });
});

describe("news", () => {
  const news = [
    newsOf({ number: 1, day: 1 }),
    newsOf({ number: 2, day: 3, cause: 1, factions: ["accord"] }),
    newsOf({ number: 3, day: 3, cause: 2 }),
  ];

  it("are followed to their root", () => {
    expect(news.map((item) => causesOf(item, news).map(({ number }) => number))).toEqual([[], [1], [2, 1]]);
  });

  it("stop where the cause is too old or leads back", () => {
    expect(causesOf(newsOf({ number: 9, cause: 4 }), news)).toEqual([]);
    const circle = [newsOf({ number: 1, cause: 2 }), newsOf({ number: 2, cause: 1 })];
    expect(causesOf(newsOf({ number: 3, cause: 1 }), circle)).toHaveLength(2);
  });

  it("come by day, newest first, and can be narrowed to a faction", () => {
    expect(newsByDay(news, null).map(({ day, items }) => [day, items.length])).toEqual([
      [3, 2],
      [1, 1],
    ]);
    expect(newsByDay(news, "accord").map(({ day }) => day)).toEqual([3]);
  });

  it.each([
    ["FUEL runs short at Haven", "Fuel runs short at Haven."],
    ["RARE_METALS are found", "Rare metals are found."],
    ["the Port offers a treaty", "The Port offers a treaty."],
    ["Haven is out of FUEL", "Haven is out of FUEL."],
    ["AI fleets gather", "AI fleets gather."],
  ])("are sentences: %s", (text, words) => {
    expect(newsWords({ text })).toBe(words);
  });

  it("lead to the battle they tell of", () => {
    const battle = { battle_id: "b", day: 3, node: "narrows", factions: [], winner: null, summary: "they fought" };
    const view = viewOf({ battles: [battle] });
    expect(battleOf(newsOf({ number: 1, day: 3, topic: "battle", text: "they fought" }), view)).toBe("b");
    expect(battleOf(newsOf({ number: 1, day: 4, topic: "battle", text: "they fought" }), view)).toBeNull();
  });
});

describe("banners", () => {
  const factions = [
    { id: "port", is_major: false, is_player: false },
    { id: "dominion", is_major: true, is_player: false },
    { id: "accord", is_major: true, is_player: true },
  ];

  it("differ in color and in shape, the player's first", () => {
    const banners = ["accord", "dominion", "port", null].map((id) => bannerOf(id, factions));
    expect(new Set(banners.map(({ color }) => color)).size).toBe(4);
    expect(new Set(banners.slice(0, 3).map(({ shape }) => shape)).size).toBe(3);
    expect(banners[0]?.shape).toBe("disc");
  });
});

it("refuses a view of another version", () => {
  expect(() => readView({ view_version: 2 })).toThrow("version 1");
});
