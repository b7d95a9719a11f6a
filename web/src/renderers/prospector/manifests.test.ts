import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AudioManifest, type EffectsManifest, entriesOf, type GraphicsManifest, isNone } from "../manifests";
import { EFFECT_KINDS } from "./effects/kinds";
import { COMMODITIES } from "./state";

const FOLDER = join(__dirname, "../../../public/assets/prospector");
const read = <T>(name: string): T => JSON.parse(readFileSync(join(FOLDER, name), "utf-8")) as T;
const graphics = read<GraphicsManifest>("graphics_manifest.json");
const audio = read<AudioManifest>("audio_manifest.json");
const effects = read<EffectsManifest>("action_effects_manifest.json");
const entries = [...effects.actions, ...Object.values(effects.events)];

describe("the manifests of prospector", () => {
  it("map every action once, in order", () => {
    expect(effects.actions.map((action) => action.id)).toEqual(Array.from({ length: 69 }, (_, index) => index));
  });

  it("name only effects that have a picture and a motion", () => {
    for (const { vfx } of entries.filter((entry) => !isNone(entry.vfx))) {
      expect(graphics.frames, vfx).toHaveProperty([vfx]);
      expect(EFFECT_KINDS, vfx).toHaveProperty([vfx]);
    }
  });

  it("name only cues that exist and have files", () => {
    for (const key of entries.map((entry) => entry.cue)) {
      expect(audio.cues, key).toHaveProperty([key]);
    }
    for (const [key, cue] of Object.entries(audio.cues).filter(([name]) => !isNone(name))) {
      expect(cue.files.length, key).toBeGreaterThan(0);
      for (const file of cue.files) {
        expect(existsSync(join(FOLDER, audio.groups[cue.group]?.basePath ?? "", file)), file).toBe(true);
      }
    }
  });

  it("have a file behind every picture", () => {
    for (const [key, { path }] of [...Object.entries(graphics.frames), ...Object.entries(graphics.backgrounds)]) {
      expect(isNone(key) || (path !== null && existsSync(join(FOLDER, path))), key).toBe(true);
    }
  });

  it("color all goods differently", () => {
    const colors = COMMODITIES.map((good) => graphics.colors[`commodity.${good}`]);
    expect(colors).not.toContain(undefined);
    expect(new Set(colors).size).toBe(COMMODITIES.length);
  });
});

describe("the entries of a step", () => {
  it("are those of its action, then of its events", () => {
    const cues = entriesOf(effects, [29], ["mine", "fracture"]).map((entry) => entry.cue);
    expect(cues).toEqual(["sfx.mine.mid", "sfx.none", "sfx.event.explosion"]);
  });

  it("leave out an action that was refused", () => {
    expect(entriesOf(effects, [29], ["invalid_action"]).map((entry) => entry.vfx)).toEqual(["vfx.warning.alert"]);
  });
});
