import type { Art } from "../../scene/art";
import { dice } from "../../scene/dice";
import { type Edges, keyOf } from "../layout";
import type { Rect, Tile } from "../state";
import { type Brush, fillRound, newBrush, shade } from "./brush";

/** The meadow needs less sharpness than what stands on it. */
const MEADOW_PX = 16;
const MEADOW_REACH = { across: 30, along: 12 } as const;
const STONES_PER_TILE = 5;
const BLADES_PER_TILE = 2;
const FLOWERS = ["#ff8fab", "#ffd166", "#ffffff", "#c77dff"] as const;
const CURB = 0.12;

/** Paints the meadow around and under a town; returns it with the area it covers. */
export function paintMeadow(edges: Edges, art: Art): { brush: Brush; area: Edges } {
  const area = {
    west: edges.west - MEADOW_REACH.across,
    north: edges.north - MEADOW_REACH.along,
    east: edges.east + MEADOW_REACH.across,
    south: edges.south + MEADOW_REACH.along,
  };
  const [width, height] = [area.east - area.west, area.south - area.north];
  const brush = newBrush(area, MEADOW_PX);
  const { pen } = brush;
  const roll = dice(width * 7 + height);
  pen.fillStyle = art.color("ground.grass");
  pen.fillRect(area.west, area.north, width, height);
  for (let patch = 0; patch < (width * height) / 9; patch += 1) {
    const [x, y, size] = [area.west + roll() * width, area.north + roll() * height, 1 + roll() * 3];
    const soft = pen.createRadialGradient(x, y, 0, x, y, size);
    const color = shade(art.color("ground.grass"), roll() < 0.5 ? -0.08 : 0.1);
    soft.addColorStop(0, `${color}66`);
    soft.addColorStop(1, `${color}00`);
    pen.fillStyle = soft;
    pen.fillRect(x - size, y - size, size * 2, size * 2);
  }
  pen.lineWidth = 0.05;
  for (let blade = 0; blade < width * height * BLADES_PER_TILE; blade += 1) {
    const [x, y] = [area.west + roll() * width, area.north + roll() * height];
    pen.strokeStyle = shade(art.color("ground.blade"), roll() < 0.4 ? 0.14 : -0.06);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + (roll() - 0.5) * 0.12, y - 0.1 - roll() * 0.12);
    pen.stroke();
  }
  for (let flower = 0; flower < (width * height) / 4; flower += 1) {
    pen.fillStyle = FLOWERS[Math.floor(roll() * FLOWERS.length)] ?? FLOWERS[0];
    pen.beginPath();
    pen.arc(area.west + roll() * width, area.north + roll() * height, 0.05 + roll() * 0.03, 0, 7);
    pen.fill();
  }
  return { brush, area };
}

/** Paints paved streets with a curb. */
export function paintStreets({ pen }: Brush, streets: readonly Tile[], art: Art): void {
  const paved = new Set(streets.map(keyOf));
  const roll = dice(streets.length);
  for (const [color, margin] of [
    [art.color("ground.curb"), CURB],
    [art.color("ground.path"), 0],
  ] as const) {
    for (const [x, y] of streets) {
      const east = paved.has(keyOf([x + 1, y])) ? 1 : 0;
      const south = paved.has(keyOf([x, y + 1])) ? 1 : 0;
      fillRound(pen, color, [x - margin, y - margin, 1 + margin * 2 + east, 1 + margin * 2], 0.3);
      fillRound(pen, color, [x - margin, y - margin, 1 + margin * 2, 1 + margin * 2 + south], 0.3);
    }
  }
  for (const [x, y] of streets) {
    for (let stone = 0; stone < STONES_PER_TILE; stone += 1) {
      pen.fillStyle = shade(art.color("ground.path"), (roll() - 0.55) * 0.16);
      pen.beginPath();
      pen.ellipse(x + 0.1 + roll() * 0.8, y + 0.1 + roll() * 0.8, 0.1 + roll() * 0.08, 0.06 + roll() * 0.05, 0, 0, 7);
      pen.fill();
    }
  }
}

/** Paints an open zone: a lawn with a path around it and flowers at its rim. */
export function paintLawn({ pen }: Brush, [x0, y0, x1, y1]: Rect, art: Art): void {
  const [w, h] = [x1 - x0 + 1, y1 - y0 + 1];
  const roll = dice(x0 * 13 + y0);
  fillRound(pen, shade(art.color("ground.park"), -0.28), [x0 - 0.1, y0 - 0.1, w + 0.2, h + 0.2], 0.8);
  fillRound(pen, art.color("ground.park"), [x0, y0, w, h], 0.7);
  pen.strokeStyle = art.color("ground.path");
  pen.lineWidth = 0.7;
  pen.beginPath();
  pen.roundRect(x0 + 1.1, y0 + 1.1, w - 2.2, h - 2.2, 1.4);
  pen.stroke();
  for (let flower = 0; flower < w * h; flower += 1) {
    const isAcross = roll() < 0.5;
    const [x, y] = isAcross
      ? [x0 + 0.4 + roll() * (w - 0.8), roll() < 0.5 ? y0 + 0.45 : y1 + 0.55]
      : [roll() < 0.5 ? x0 + 0.45 : x1 + 0.55, y0 + 0.4 + roll() * (h - 0.8)];
    pen.fillStyle = FLOWERS[Math.floor(roll() * FLOWERS.length)] ?? FLOWERS[0];
    pen.beginPath();
    pen.arc(x, y + (roll() - 0.5) * 0.2, 0.07 + roll() * 0.04, 0, 7);
    pen.fill();
  }
}
