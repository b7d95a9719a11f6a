import type { Layout, Placed } from "./layout";
import { draw, write } from "./svg";

const MOST_SHEETS = 5;

const NAMES = {
  input: () => "input",
  block: (width: number) => `${width} ch`,
  layers: (width: number) => (width === 1 ? "1 layer" : `${width} layers`),
  pool: () => "pool",
  slot: () => "",
  output: (width: number) => `${width} classes`,
} as const;

/** Draws a part of the host that is no slot. */
export function drawStation({ station, x, y, width }: Placed, { scale, hasWords }: Layout): SVGElement {
  const shape = SHAPES[station.kind](x, y, scale, station.width);
  const name = NAMES[station.kind](station.width);
  return draw(
    "g",
    { "data-station": station.kind },
    ...shape,
    hasWords
      ? write(name, x, y + 44 * scale, { class: "dim", "text-anchor": "middle", textLength: fit(name, width) })
      : null,
  );
}

const SHAPES = {
  input: (x: number, y: number, scale: number) => grid(x, y, scale),
  block: sheets,
  layers: sheets,
  pool: (x: number, y: number, scale: number) => [
    draw("path", {
      d: `M${x - 9 * scale} ${y - 20 * scale}L${x + 9 * scale} ${y - 9 * scale}V${y + 9 * scale}L${x - 9 * scale} ${y + 20 * scale}Z`,
      class: "part",
    }),
  ],
  slot: () => [],
  output: (x: number, y: number, scale: number, width: number) => bars(x, y, scale, width),
} as const;

/** Feature maps one behind the other: twice the channels are one sheet more. */
function sheets(x: number, y: number, scale: number, width: number): SVGElement[] {
  const count = Math.min(MOST_SHEETS, 1 + Math.floor(Math.log2(Math.max(1, width))));
  const step = 4.5 * scale;
  return Array.from({ length: count }, (_, place) => {
    const shift = ((count - 1) / 2 - place) * step;
    const side = 30 * scale;
    return draw("rect", {
      x: x - side / 2 + shift,
      y: y - side / 2 - shift,
      width: side,
      height: side,
      rx: 4 * scale,
      class: "part",
    });
  });
}

function grid(x: number, y: number, scale: number): SVGElement[] {
  const cell = 8 * scale;
  return Array.from({ length: 16 }, (_, place) =>
    draw("rect", {
      x: x + ((place % 4) - 2) * cell,
      y: y + (Math.floor(place / 4) - 2) * cell,
      width: cell - scale,
      height: cell - scale,
      rx: 1.5 * scale,
      class: INKED.has(place) ? "pixel inked" : "pixel",
    }),
  );
}

/** A seven, small. */
const INKED: ReadonlySet<number> = new Set([0, 1, 2, 3, 7, 10, 14]);

function bars(x: number, y: number, scale: number, width: number): SVGElement[] {
  const count = Math.min(8, width);
  const step = (44 * scale) / count;
  return Array.from({ length: count }, (_, place) =>
    draw("rect", {
      x: x - 13 * scale,
      y: y - 22 * scale + place * step,
      width: (LENGTHS[place] ?? 10) * scale,
      height: Math.max(1, step - 1.6 * scale),
      rx: 1.5 * scale,
      class: place === 3 ? "pixel inked" : "pixel",
    }),
  );
}

const LENGTHS = [8, 12, 7, 26, 10, 6, 14, 9] as const;

/** Long words are squeezed rather than cut. */
function fit(name: string, width: number): number | undefined {
  return name.length * 6.2 > width + 14 ? width + 14 : undefined;
}
