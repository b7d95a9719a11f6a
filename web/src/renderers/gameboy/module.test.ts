import { expect, it } from "vitest";
import type { RenderState } from "../renderer";
import { gameboy } from ".";
import { GameboyRenderer } from "./GameboyRenderer";
import { pictureOf } from "./state";

const PICTURE_BYTES = 5760;

const moment = (given: Partial<RenderState> = {}): RenderState => ({
  schema_version: 1,
  headline: { success: 0, final_distance: 0.125 },
  time: 240,
  time_remaining: 11_000,
  picture: btoa(String.fromCharCode(...new Uint8Array(PICTURE_BYTES).fill(0b11100100))),
  frame_count: 300,
  registers: { pc: 0x150, trap_kind: 0 },
  watch: { score: 3, $C0F1: 255 },
  rom: "CATCH",
  kind: "gb_goal",
  stage: 0,
  ...given,
});

const texts = (state: RenderState) => Object.fromEntries(gameboy.hud(state, {}).map(({ key, text }) => [key, text]));

it("shows what is watched, and how far the goal is where there is one", () => {
  expect(texts(moment())).toMatchObject({ rom: "CATCH", distance: "0.125", "watch.score": "3", "watch.$C0F1": "255" });
  expect(texts(moment({ kind: "gb_tasks" }))).not.toHaveProperty("distance");
});

it("says time in seconds of the console", () => {
  expect(texts(moment())).toMatchObject({ time: "4.02 s", left: "184.2 s" });
  expect(texts(moment({ time_remaining: 0 }))).not.toHaveProperty("left");
});

it("tells success and a stopped processor", () => {
  const ended = gameboy.hud(moment({ headline: { success: 1, final_distance: 0 }, registers: { trap_kind: 1 } }), {});
  expect(ended.find(({ key }) => key === "success")).toMatchObject({ text: "yes", tone: "good" });
  expect(ended.find(({ key }) => key === "trap")).toMatchObject({ text: "stopped", tone: "bad" });
});

it("describes the screen in words", () => {
  expect(gameboy.describe(moment())).toBe("Screen of CATCH, reach a picture, frame 240; score 3, $C0F1 255");
});

it("names keys as people do", () => {
  const title = (option: string) => gameboy.actionText(`key.${option}`, moment()).title;
  expect(["NOOP", "A", "START", "LEFT"].map(title)).toEqual(["No key", "A", "Start", "Left"]);
});

it("reads a picture, and takes nothing for one that is none", () => {
  expect(pictureOf(moment())).toHaveLength(PICTURE_BYTES);
  expect(pictureOf(moment({ picture: "AAAA" }))).toBeNull();
  expect(pictureOf(moment({ picture: undefined }))).toBeNull();
});

it("lights the key of the step", async () => {
  const host = document.createElement("div");
  const renderer = new GameboyRenderer();
  const options = ["NOOP", "A", "B", "START", "UP", "DOWN", "LEFT", "RIGHT"];
  const descriptor = {
    world: "gameboy",
    action_labels: options,
    action_heads: [{ name: "key", options, noop: 0 }],
    metrics: [],
    headline: [],
  };
  await renderer.mount(host, { theme: "dark", descriptor, manifests: {} as never, role: "agent" });
  renderer.show({ state: moment(), frame: { options: [6], events: [] }, reducedMotion: true });

  const lit = [...host.querySelectorAll('kbd[data-pressed="true"]')].map((cap) => cap.textContent);
  expect(lit).toEqual(["←"]);
  expect(host.textContent).toContain("CATCH · Reach a picture");
});
