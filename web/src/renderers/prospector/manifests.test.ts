import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cueOf } from "../../watch/state/useAudibleControls";
import type { PlaybackAction } from "../../watch/state/usePlayback";
import { type AudioManifest, type EffectsManifest, entriesOf, type GraphicsManifest, isNone } from "../manifests";
import { EFFECT_KINDS } from "./effects/kinds";
import { COMMODITIES } from "./state";

const FOLDER = join(__dirname, "../../../public/assets/prospector");
const read = <T>(name: string): T => JSON.parse(readFileSync(join(FOLDER, name), "utf-8")) as T;
const graphics = read<GraphicsManifest>("graphics_manifest.json");
const audio = read<AudioManifest>("audio_manifest.json");
const effects = read<EffectsManifest>("action_effects_manifest.json");
const entries = [...effects.actions, ...Object.values(effects.events)];

/** What the code of this world says, apart from tests. */
const CODE = readdirSync(__dirname, { recursive: true, encoding: "utf-8" })
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  .map((path) => readFileSync(join(__dirname, path), "utf-8"))
  .join("\n");

/** Whether the code names a key in full, or by its beginning with the rest put in. */
function isNamed(key: string): boolean {
  const beginning = ["`", key.slice(0, key.lastIndexOf(".") + 1), "$", "{"].join("");
  return CODE.includes(`"${key}"`) || CODE.includes(beginning);
}

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

  it("name nothing that is never drawn or heard", () => {
    const steered: PlaybackAction[] = [
      { type: "play" },
      { type: "pause" },
      { type: "move", by: 1 },
      { type: "restart" },
    ];
    const used = new Set([
      ...entries.flatMap(({ vfx, cue }) => [vfx, cue]),
      ...steered.map((action) => cueOf(action, false)),
    ]);
    const keys = [graphics.frames, graphics.backgrounds, graphics.colors, audio.cues].flatMap(Object.keys);
    expect(keys.filter((key) => !isNone(key) && !used.has(key) && !isNamed(key))).toEqual([]);
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
