import { expect, it, describe as suite } from "vitest";
import { actionText, refusal } from "./actionText";
import { describe } from "./describe";
import { eventLines } from "./eventLines";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { sampleSeed, sampleSlot, sampleState } from "./sample";
import { asMorphogenesis } from "./state";
import { subjects } from "./subjects";

const anything = () => true;
const gaugesOf = (...given: Parameters<typeof hud>) => new Map(hud(...given).map((gauge) => [gauge.key, gauge]));

suite("words", () => {
  it("tell the host beside its twin, and every seed", () => {
    expect(describe(sampleState())).toBe(
      "Epoch 10 of 40: accuracy 62.5%, the control twin 50.0%. " +
        "r0c0 Light convolution blending 40%, contribution +3.3 points.",
    );
    expect(describe(sampleState({ slots: [], control_accuracy: null, is_rolling_back: true }))).toBe(
      "Epoch 10 of 40: accuracy 62.5%. Nothing is planted. The host is being put back to its last snapshot.",
    );
  });

  it("name options of all heads", () => {
    const title = (key: string) => actionText(key, sampleState()).title;
    expect(["op.FOSSILIZE", "blueprint.lora_large", "alpha_target.HALF", "slot.r0c1"].map(title)).toEqual([
      "Make permanent",
      "Large low-rank adapter",
      "50%",
      "r0c1",
    ]);
    expect(actionText("slot.r0c0", sampleState()).detail).toContain("Light convolution: Blending 40%");
  });
});

suite("the heads of a decision", () => {
  it("close slots by the operation that is chosen", () => {
    const given = (op: string) => refusal("slot.r0c0", new Set([op]), sampleState());
    expect([given("op.GERMINATE"), given("op.PRUNE"), given("op.WAIT")]).toEqual([
      "the slot is BLENDING, not empty",
      "alpha still moves UP",
      "",
    ]);
    expect(refusal("blueprint.norm", new Set(["op.PRUNE"]), sampleState())).toBe("");
  });

  it("are filled as the rule-based controller would fill them", () => {
    expect(suggest(sampleState(), anything)).toEqual([
      {
        key: "op.GERMINATE",
        why: "The host has settled.",
        also: ["slot.r0c1", "blueprint.norm", "style.SIGMOID_ADD"],
        title: "Plant normalization in r0c1",
      },
      { key: "op.WAIT", why: "Let an epoch pass." },
    ]);
    const patient = sampleState({ advice: { choice: { op: "WAIT" }, why: "It needs time." } });
    expect(suggest(patient, anything).map(({ key, why }) => [key, why])).toEqual([["op.WAIT", "It needs time."]]);
  });
});

suite("gauges", () => {
  it("are those of the host until a slot is looked at", () => {
    const gauges = gaugesOf(sampleState(), {}, "host");
    expect(gauges.get("accuracy")).toMatchObject({ text: "62.5%", share: 0.625, tone: "good" });
    expect(gauges.get("params")).toMatchObject({ text: "202", share: 202 / 3200, tone: "good" });
    expect(gauges.get("contributions")?.rows).toMatchObject([{ label: "r0c0", text: "+3.3", share: 1 }]);
    expect(gauges.get("reward")?.rows?.map(({ label, share }) => [label, share])).toEqual([
      ["Rent for parameters", -1],
      ["Way through the stages", 0.2],
    ]);
    expect(gauges.has("rollbacks")).toBe(false);
  });

  it("tell of a slot what can be done, and what stands against the rest", () => {
    const gauges = gaugesOf(sampleState(), {}, "r0c0");
    expect(gauges.get("alpha")).toMatchObject({ text: "40%", share: 0.4 });
    expect(gauges.get("health")).toMatchObject({ text: "90%", tone: "good" });
    expect(gauges.get("can")?.rows?.[0]).toMatchObject({ label: "Plant", text: "the slot is BLENDING, not empty" });
    const empty = gaugesOf(sampleState(), {}, "r0c1");
    expect(empty.get("can")?.rows?.[0]).toMatchObject({ text: "possible", share: 1 });
    expect(empty.has("alpha")).toBe(false);
  });

  it("show what was not measured as unknown", () => {
    const seed = sampleSeed({ contribution: null, reference_improvement: null, gradient_health: null });
    const gauges = gaugesOf(
      sampleState({ slots: [sampleSlot({ seed })], gain: null, control_accuracy: null }),
      {},
      "r0c0",
    );
    expect(gauges.get("contribution")?.text).toBe("Not measured");
    expect(gauges.get("reference")?.text).toBe("– points");
    expect(gauges.has("health")).toBe(false);
    expect(gaugesOf(sampleState({ control_accuracy: null }), {}).get("control")?.text).toBe("–");
  });
});

suite("what happened", () => {
  const told = (...slots: ReturnType<typeof sampleSlot>[]) =>
    eventLines(sampleState({ slots })).map(({ text, tone, isMinor }) => [text, tone, isMinor]);
  const fresh = { epochs_in_stage: 1 };

  it("is told in the epoch a seed enters a stage, and not again", () => {
    expect(told(sampleSlot())).toEqual([]);
    expect(told(sampleSlot({ stage: "GERMINATED", seed: sampleSeed(fresh) }))).toEqual([
      ["Light convolution in r0c0 was planted", "plain", false],
    ]);
    expect(told(sampleSlot({ stage: "FOSSILIZED", seed: sampleSeed(fresh) }))).toEqual([
      ["Light convolution in r0c0 became permanent; without it the host would lose 3.3 points", "good", false],
    ]);
  });

  it("tells a removal once: when the module goes, not when its slot cools on", () => {
    const cooling = (changes: Partial<ReturnType<typeof sampleSeed>>) =>
      told(sampleSlot({ stage: "EMBARGOED", seed: sampleSeed({ ...fresh, previous_stage: "PRUNED", ...changes }) }));
    expect(cooling({ previous_epochs: 0 })).toEqual([["Light convolution in r0c0 was removed", "warn", false]]);
    expect(cooling({ previous_epochs: 1 })).toEqual([["Slot r0c0 cools down", "plain", true]]);
  });

  it("tells panics and refusals, and numbers lines by epoch", () => {
    const lines = eventLines(
      sampleState({ is_rolling_back: true, last_action: { op: "PRUNE", slot_id: "r0c1", success: false, reward: 0 } }),
    );
    expect(lines.map(({ text }) => text)).toEqual([
      "The governor panicked: the host is put back to its last snapshot",
      "PRUNE on r0c1 was refused",
    ]);
    expect(lines.map(({ tick, id }) => [tick, id])).toEqual([
      [10, 1000],
      [10, 1001],
    ]);
  });
});

it("lists the host and its slots as what can be looked at", () => {
  expect(subjects(sampleState()).map(({ key, tone, isOwn }) => [key, tone, isOwn])).toEqual([
    ["host", "good", true],
    ["r0c0", "good", true],
    ["r0c1", "plain", true],
  ]);
});

it("refuses a render schema it does not know", () => {
  expect(() => asMorphogenesis({ ...sampleState(), schema_version: 2 })).toThrow("render schema 2");
});
