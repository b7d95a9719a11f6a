/**
 * Packs the pictures of a world onto sheets, so that a page asks for a few files instead of one for every picture.
 *
 * Usage: node tools/packAtlases.mjs public/assets/prospector [further folders]
 *
 * The graphics manifest of a folder says which sheet a picture belongs to (`atlas`); the tool writes the sheets and
 * where each picture lies on them (`frame`). Sheets are named by their contents, so that browsers may keep them forever.
 * Files of single pictures stay: they are what is drawn and edited.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SHEETS = "atlases";
const SHEET_WIDTH = 1024;
/** Neighbors must not shine through where a picture is drawn smaller. */
const GAP = 4;

/** Returns the manifest with the places of all pictures, and the text of every sheet by its path. */
export function packAtlases(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "graphics_manifest.json"), "utf8"));
  const sheets = {};
  for (const name of Object.keys(manifest.atlases)) {
    const keys = Object.keys(manifest.frames).filter((key) => manifest.frames[key].atlas === name);
    const pictures = keys.map((key) => readPicture(join(folder, manifest.frames[key].path), key));
    const { placed, height } = place(pictures);
    for (const { key, x, y, width, height: tall } of placed) {
      manifest.frames[key].frame = [x, y, width, tall];
    }
    const text = sheetText(placed, height);
    const path = `${SHEETS}/${name}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.svg`;
    manifest.atlases[name] = path;
    sheets[path] = text;
  }
  return { manifest, sheets };
}

/** Returns the manifest as the text of its file: one line per picture. */
export function manifestText(manifest) {
  return `${JSON.stringify(manifest, null, 2).replace(/\[\s+(\d+),\s+(\d+),\s+(\d+),\s+(\d+)\s+\]/g, "[$1, $2, $3, $4]")}\n`;
}

function readPicture(path, key) {
  const text = readFileSync(path, "utf8");
  const open = text.match(/<svg[^>]*>/)?.[0] ?? "";
  const number = (name) => Number(open.match(new RegExp(`\\b${name}="([\\d.]+)"`))?.[1]);
  const inside = text.slice(text.indexOf(open) + open.length, text.lastIndexOf("</svg>")).trim();
  return { key, width: number("width"), height: number("height"), inside };
}

/** Lays pictures on shelves, the tallest first. */
function place(pictures) {
  const placed = [];
  let [x, y, shelf] = [0, 0, 0];
  for (const picture of pictures.toSorted((a, b) => b.height - a.height || (a.key < b.key ? -1 : 1))) {
    if (x + picture.width > SHEET_WIDTH) {
      [x, y, shelf] = [0, y + shelf + GAP, 0];
    }
    placed.push({ ...picture, x, y });
    x += picture.width + GAP;
    shelf = Math.max(shelf, picture.height);
  }
  return { placed, height: y + shelf };
}

function sheetText(placed, height) {
  const parts = placed.map(({ x, y, width, height: tall, inside }, index) => {
    const own = ownNames(inside, `p${index}`);
    return `<svg x="${x}" y="${y}" width="${width}" height="${tall}" viewBox="0 0 ${width} ${tall}">\n${own}\n</svg>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SHEET_WIDTH}" height="${height}" viewBox="0 0 ${SHEET_WIDTH} ${height}">\n${parts.join("\n")}\n</svg>\n`;
}

/** Gradients of different pictures may share a name; on a sheet they must not. */
function ownNames(text, prefix) {
  return text
    .replaceAll(/\bid="([^"]+)"/g, `id="${prefix}$1"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#${prefix}$1)`)
    .replaceAll(/href="#([^"]+)"/g, `href="#${prefix}$1"`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const folder of process.argv.slice(2)) {
    const { manifest, sheets } = packAtlases(folder);
    rmSync(join(folder, SHEETS), { recursive: true, force: true });
    mkdirSync(join(folder, SHEETS));
    for (const [path, text] of Object.entries(sheets)) {
      writeFileSync(join(folder, path), text);
    }
    writeFileSync(join(folder, "graphics_manifest.json"), manifestText(manifest));
  }
}
