import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { manifestText, packAtlases } from "../../tools/packAtlases.mjs";
import { type GraphicsManifest, picturesOf } from "./manifests";

const ASSETS = join(__dirname, "../../public/assets");

describe.for(readdirSync(ASSETS))("the sheets of %s", (world) => {
  const folder = join(ASSETS, world);
  const text = readFileSync(join(folder, "graphics_manifest.json"), "utf8");
  const graphics = JSON.parse(text) as GraphicsManifest;

  it("are what its pictures make; npm run art packs them anew", () => {
    const { manifest, sheets } = packAtlases(folder);
    expect(manifestText(manifest)).toBe(text);
    expect(Object.values(graphics.atlases).toSorted()).toEqual(Object.keys(sheets).toSorted());
    for (const [path, sheet] of Object.entries(sheets)) {
      expect(readFileSync(join(folder, path), "utf8")).toBe(sheet);
    }
  });

  it("hold every picture of a thing or an effect, no two in one place", () => {
    const sources = picturesOf(graphics);
    const cuts = sources.flatMap(({ path, cut }) => (cut === null ? [] : [`${path} ${cut.join()}`]));
    // A world that sends pixels has nothing of its own to draw.
    expect(cuts.length > 20).toBe(Object.keys(graphics.atlases).length > 0);
    expect(new Set(cuts).size).toBe(cuts.length);
    expect(sources.every(({ path }) => existsSync(join(folder, path)))).toBe(true);
  });
});
