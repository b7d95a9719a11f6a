import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ManifestSet } from "../../manifests";
import type { View } from "../../renderer";
import { sampleSeed, sampleSlot, sampleState } from "../sample";
import type { MorphogenesisState, Station } from "../state";
import { path, scaleOf } from "./chart";
import { marksOf } from "./effects";
import { spansOf } from "./lanes";
import { layOut } from "./layout";
import { MorphogenesisRenderer } from "./MorphogenesisRenderer";

const FOLDER = join(__dirname, "../../../../public/assets/morphogenesis");
const manifest = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}_manifest.json`), "utf8"));
const manifests: ManifestSet = {
  graphics: manifest("graphics"),
  audio: manifest("audio"),
  effects: manifest("action_effects"),
  graphicsBase: "/assets/morphogenesis/",
  audioBase: "/assets/morphogenesis/",
};
const { flow } = sampleState();
const LONG: Station[] = Array.from({ length: 5 }, (_, block) => block).flatMap((block) => [
  { kind: "block", width: 8, slot_id: null },
  { kind: "slot", width: 0, slot_id: `r0c${block}` },
  { kind: "pool", width: 0, slot_id: null },
  { kind: "slot", width: 0, slot_id: `r1c${block}` },
]);

describe("the layout", () => {
  it.each([
    [1200, 700],
    [768, 420],
    [390, 480],
    [320, 280],
  ])("keeps a network of %i by %i inside its frame, and the chart under it", (width, height) => {
    for (const stations of [flow, LONG]) {
      const { rows, chart } = layOut(width, height, stations, 1);
      const placed = rows.flatMap((row) => row.stations);
      expect(placed.map(({ station }) => station)).toEqual(stations);
      expect(Math.min(...placed.map(({ x, width: own }) => x - own / 2))).toBeGreaterThanOrEqual(0);
      expect(Math.max(...placed.map(({ x, width: own }) => x + own / 2))).toBeLessThanOrEqual(width);
      expect(Math.max(...placed.map(({ y }) => y))).toBeLessThan(chart?.y ?? height);
      expect((chart?.y ?? 0) + (chart?.height ?? 0)).toBeLessThanOrEqual(height);
    }
  });

  it("breaks a long line into rows, never before a slot", () => {
    const { rows } = layOut(768, 600, LONG, 1);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map((row) => row.stations[0]?.station.kind)).not.toContain("slot");
  });

  it("leaves room for the other hosts only where there are any", () => {
    expect(layOut(860, 600, flow, 1).hosts).toBeNull();
    expect(layOut(860, 600, flow, 4).hosts?.height).toBeGreaterThan(30);
  });
});

describe("the chart", () => {
  const plot = { x: 0, y: 0, width: 390, height: 100 };

  it("holds every value between round numbers", () => {
    const { low, high, x, y } = scaleOf([12, null, 63], 40, plot, "accuracy");
    expect([low, high, x(1), x(40), y(0), y(70)]).toEqual([0, 70, 0, 390, 100, 0]);
    expect(scaleOf([-0.4, 2.3], 40, plot, "reward")).toMatchObject({ low: -1, high: 3 });
    expect(scaleOf([], 40, plot, "loss")).toMatchObject({ low: 0, high: 1 });
  });

  it("breaks its line where nothing was measured", () => {
    const scale = scaleOf([10, 20], 2, plot, "accuracy");
    expect(path([10, null, 20], { ...scale, x: (epoch) => epoch })).toBe("M1 50M3 0");
  });

  it("knows of a seed's life its planting and its last two stages", () => {
    expect(spansOf(sampleSeed(), "BLENDING", 10)).toEqual([
      { from: 3, to: 4, stage: null },
      { from: 4, to: 8, stage: "TRAINING" },
      { from: 8, to: 10, stage: "BLENDING" },
    ]);
    expect(spansOf(sampleSeed({ age: 1, epochs_in_stage: 1, previous_epochs: 0 }), "GERMINATED", 5)).toHaveLength(1);
  });
});

describe("marks", () => {
  it("stand where an event happened, each kind once", () => {
    const frame = {
      options: [],
      events: ["EPOCH_COMPLETED", "SEED_STAGE_CHANGED", "SEED_STAGE_CHANGED", "SEED_FOSSILIZED", "HOST_STABILIZED"],
      event_data: { SEED_FOSSILIZED: { slot_id: "r0c0" } },
    };
    expect(marksOf(frame, manifests)).toEqual([
      { picture: "vfx.permanent", slotId: "r0c0" },
      { picture: "vfx.settled", slotId: null },
    ]);
    expect(marksOf(undefined, manifests)).toEqual([]);
  });
});

describe("the picture", () => {
  const host = document.createElement("div");
  const picks = { onPick: vi.fn(), onSubject: vi.fn() };

  beforeEach(() => host.replaceChildren());

  const show = async (changes: Partial<MorphogenesisState> = {}, view: Partial<View> = {}) => {
    const renderer = new MorphogenesisRenderer();
    const descriptor = { world: "morphogenesis", action_labels: [], action_heads: [], metrics: [], headline: [] };
    await renderer.mount(host, { theme: "light", descriptor, manifests, role: "human", ...picks });
    const root = host.lastElementChild as HTMLElement;
    Object.defineProperty(root, "clientWidth", { value: 860 });
    Object.defineProperty(root, "clientHeight", { value: 560 });
    renderer.show({ state: sampleState(changes), reducedMotion: true, ...view });
    return renderer;
  };
  const texts = () => [...host.querySelectorAll("text")].map(({ textContent }) => textContent);

  it("shows every slot with stage, alpha and contribution", async () => {
    await show();
    expect([...host.querySelectorAll("[data-slot]")].map((slot) => slot.getAttribute("data-stage"))).toEqual([
      "BLENDING",
      "DORMANT",
    ]);
    expect(texts()).toEqual(expect.arrayContaining(["Blending 40%", "+3.3", "202 of 3,200 parameters"]));
    expect(host.querySelector("[data-points]")?.getAttribute("data-points")).toBe("3.25");
    expect(host.querySelector(".morphogenesis")?.getAttribute("data-theme")).toBe("light");
  });

  it("has a picture for every stage and every blueprint", async () => {
    const seed = sampleSeed({ blueprint: "flex_attention" });
    await show({ slots: [sampleSlot({ seed }), sampleSlot({ slot_id: "r0c1", stage: "EMBARGOED" })] });
    const sheet = Object.values(manifests.graphics.atlases)[0];
    const shown = [...host.querySelectorAll("image")].map((image) => image.getAttribute("href"));
    expect(shown).toHaveLength(3);
    expect(new Set(shown)).toEqual(new Set([`/assets/morphogenesis/${sheet}`]));
  });

  it("shares no names with another picture on the page", async () => {
    await show();
    await show();
    const clips = [...host.querySelectorAll("clipPath")].map(({ id }) => id);
    expect(clips).toHaveLength(2);
    expect(new Set(clips).size).toBe(2);
  });

  it("marks a panic, and several hosts", async () => {
    const other = { env_id: 1, accuracy: 30, gain: -2, is_rolling_back: true, seeds: [null, ["HOLDING", 1]] } as const;
    await show({ is_rolling_back: true, hosts: [{ ...other, env_id: 0, gain: 4 }, other] });
    expect(host.querySelector(".alarm")).not.toBeNull();
    expect([...host.querySelectorAll("[data-host]")].map((card) => card.getAttribute("data-host"))).toEqual(["0", "1"]);
  });

  it("lets a slot be looked at, and chosen where something can be done with it", async () => {
    await show({ refusals: { ...sampleState().refusals, GERMINATE: ["no", ""] } });
    const click = (slot: string) =>
      host.querySelector(`[data-slot="${slot}"]`)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    click("r0c0");
    click("r0c1");
    expect(picks.onSubject.mock.calls).toEqual([["r0c0"], ["r0c1"]]);
    expect(picks.onPick.mock.calls).toEqual([["slot.r0c1"]]);
  });

  it("changes its chart, and lets go of its frame at the end", async () => {
    const renderer = await show();
    renderer.apply({ chart: "loss", lanes: false });
    expect(texts()).toContain("Validation loss, nats");
    expect(host.querySelector(".lanes")).toBeNull();
    renderer.destroy();
    expect(host.childElementCount).toBe(0);
  });
});
