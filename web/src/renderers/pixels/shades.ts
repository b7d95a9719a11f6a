/** Four shades per pixel, four pixels per byte, the leftmost in the lowest bits. */
const PIXELS_PER_BYTE = 4;
const SHADES = 4;

export type PaletteName = "grey" | "green";

const PALETTES: Readonly<Record<PaletteName, readonly [string, string, string, string]>> = {
  grey: ["#ffffff", "#aaaaaa", "#555555", "#000000"],
  green: ["#e3eec0", "#aeba89", "#5e6745", "#202020"],
};

export function isPalette(name: unknown): name is PaletteName {
  return name === "grey" || name === "green";
}

/** Returns the four colors of a palette as pixels of a canvas. */
function pixelsOf(palette: PaletteName): Uint32Array {
  const bytes = new Uint8ClampedArray(SHADES * 4);
  PALETTES[palette].forEach((color, shade) => {
    const value = Number.parseInt(color.slice(1), 16);
    bytes.set([value >> 16, (value >> 8) & 255, value & 255, 255], shade * 4);
  });
  return new Uint32Array(bytes.buffer);
}

/** For every byte the four pixels it stands for; made once for a palette. */
const TABLES = new Map<PaletteName, Uint32Array>();

function tableOf(palette: PaletteName): Uint32Array {
  const known = TABLES.get(palette);
  if (known !== undefined) {
    return known;
  }
  const colors = pixelsOf(palette);
  const table = new Uint32Array(256 * PIXELS_PER_BYTE);
  for (let at = 0; at < table.length; at += 1) {
    const byte = Math.floor(at / PIXELS_PER_BYTE);
    table[at] = colors[(byte >> ((at % PIXELS_PER_BYTE) * 2)) & 3] ?? 0;
  }
  TABLES.set(palette, table);
  return table;
}

/** Writes packed shades into the pixels of a picture, which has room for four times as many. */
export function paintShades(packed: Uint8Array, palette: PaletteName, pixels: Uint32Array): void {
  const table = tableOf(palette);
  for (let at = 0; at < packed.length; at += 1) {
    const from = (packed[at] ?? 0) * PIXELS_PER_BYTE;
    const to = at * PIXELS_PER_BYTE;
    pixels[to] = table[from] ?? 0;
    pixels[to + 1] = table[from + 1] ?? 0;
    pixels[to + 2] = table[from + 2] ?? 0;
    pixels[to + 3] = table[from + 3] ?? 0;
  }
}

/** Writes brightness, one byte a pixel. */
export function paintBrightness(bytes: Uint8Array, pixels: Uint32Array): void {
  for (let at = 0; at < bytes.length; at += 1) {
    const value = bytes[at] ?? 0;
    pixels[at] = (0xff000000 | (value << 16) | (value << 8) | value) >>> 0;
  }
}

/** Reads base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
