import { expect, it } from "vitest";
import { loadWorldModule } from "../registry";
import type { RenderState } from "../renderer";
import { plain } from ".";
import { boardOf, kindOf } from "./board";
import { factsOf } from "./facts";

const moment = (given: Partial<RenderState> = {}): RenderState => ({
  schema_version: 1,
  headline: { baskets: 3 },
  time: 12,
  time_remaining: 88,
  board: ["P.a", "..A"],
  legend: { P: "picker", a: "apple" },
  carried: 2,
  weather: { is_raining: true, wind: [1, 2] },
  ...given,
});

it("takes equally long texts or lists for a board, and nothing else", () => {
  expect(boardOf(["ab", "cd"], true)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(
    boardOf(
      [
        [1, 0],
        [0, 2],
      ],
      false,
    )?.flat(),
  ).toEqual(["1", "0", "0", "2"]);
  for (const none of [["ab", "c"], ["ab"], [1, 2], [{ a: 1 }, { a: 2 }], "ab", null]) {
    expect(boardOf(none, true)).toBeNull();
  }
  expect(boardOf(["north", "south"], false)).toBeNull();
});

it("gives a content the same number whatever else is on the board", () => {
  expect(["b", "a", "b"].map((cell) => kindOf(cell, ["a", "b"]))).toEqual([1, 0, 1]);
  expect(kindOf("x", [])).toBe(kindOf("x", []));
  expect(kindOf("x", [])).not.toBe(kindOf("y", []));
});

it("tells everything that is on no board in lines", () => {
  const { boards, lines } = factsOf(moment());
  expect(boards.map(({ key }) => key)).toEqual(["board"]);
  expect(lines).toEqual([
    { label: "Carried", text: "2" },
    { label: "Weather · Is raining", text: "yes" },
    { label: "Weather · Wind", text: "1, 2" },
  ]);
});

it("draws the board with its legend", async () => {
  const host = document.createElement("div");
  const renderer = await plain.createRenderer();
  await renderer.mount(host, {} as never);
  renderer.show({ state: moment(), reducedMotion: true });
  const cells = [...host.querySelectorAll<HTMLElement>("[data-kind]")];
  expect(cells.map(({ textContent }) => textContent)).toEqual(["P", "", "a", "", "", "A", "P", "a"]);
  expect(cells.map(({ dataset }) => dataset.kind)).toEqual(["0", "empty", "1", "empty", "empty", "3", "0", "1"]);
  expect(host.textContent).toContain("Ppicker");
  expect(host.textContent).toContain("Carried2");
  renderer.destroy();
  expect(host.childElementCount).toBe(0);
});

it("says the headline and the time", () => {
  expect(plain.describe(moment())).toBe("After 12 ticks, baskets 3");
  expect(plain.hud(moment(), {}).map(({ label, text }) => `${label} ${text}`)).toEqual([
    "Baskets 3",
    "Time 12 ticks",
    "Left 88 ticks",
  ]);
});

it("is what any other world is shown with", async () => {
  expect(await loadWorldModule("nowhere")).toBe(plain);
  expect((await loadWorldModule("nowhere", true)).howTo).not.toBe(plain.howTo);
});
