import type { Art } from "../../scene/art";
import { dice } from "../../scene/dice";
import type { Rect, ZoneState } from "../state";
import { type Brush, fillBox, fillRound, shade } from "./brush";

const ROOFS = 8;
/** How far roofs stand out over the walls. */
const EAVES = 0.14;
/** Depth of the rim of a roof that is taken off, seen from above. */
const RIM = 0.36;
/** Where the outer wall in the south begins, below the floor. */
const FACADE = 0.5;

/** Color of the roof of a building, by its place in the list of zones. */
export function roofColor(art: Art, index: number): string {
  return art.color(`roof.${index % ROOFS}`);
}

/** What a building is, by its name: it decides on floor and furniture. */
export function kindOf({ id }: Pick<ZoneState, "id">): string {
  return id.replace(/[_\d]+$/, "");
}

/** Paints a building without its roof: one looks in from above and sees the northern wall and the front in the south. */
export function paintBuilding(brush: Brush, zone: ZoneState, index: number, art: Art): void {
  const { pen } = brush;
  const [x0, y0, x1, y1] = zone.rect;
  const [w, h] = [x1 - x0 + 1, y1 - y0 + 1];
  pen.save();
  pen.shadowColor = "rgba(20, 24, 40, 0.45)";
  pen.shadowBlur = 18;
  pen.shadowOffsetX = 9;
  pen.shadowOffsetY = 11;
  fillBox(pen, art.color("wall.side"), x0, y0 + 0.1, w, h - 0.1);
  pen.restore();
  paintFloor(pen, zone, art);
  paintNorthWall(pen, zone, art);
  paintFront(pen, zone, index, art);
  paintRim(pen, zone.rect, roofColor(art, index));
  paintDoor(pen, zone, art);
}

function paintFloor(pen: CanvasRenderingContext2D, zone: ZoneState, art: Art): void {
  const [x0, y0, x1, y1] = zone.rect;
  const [w, h] = [x1 - x0 + 1, y1 - y0 + 1];
  const kind = kindOf(zone);
  const color = art.color(FLOORS[kind] ?? "floor.shop");
  const roll = dice(x0 * 17 + y0);
  fillBox(pen, color, x0, y0, w, h);
  for (let y = y0; y <= y1; y += 1) {
    for (let x = x0; x <= x1; x += 1) {
      if (kind === "home") {
        for (let plank = 0; plank < 3; plank += 1) {
          fillBox(pen, shade(color, (roll() - 0.5) * 0.16), x, y + plank / 3, 1, 0.31);
        }
      } else {
        fillBox(pen, shade(color, (x + y) % 2 === 0 ? 0.12 : -0.05), x, y, 0.97, 0.97);
      }
    }
  }
  const under = pen.createLinearGradient(0, y0 + 1, 0, y0 + 1.7);
  under.addColorStop(0, "rgba(30, 20, 40, 0.32)");
  under.addColorStop(1, "rgba(30, 20, 40, 0)");
  pen.fillStyle = under;
  pen.fillRect(x0, y0 + 1, w, 0.7);
}

/** The inside of the wall in the north, with windows. */
function paintNorthWall(pen: CanvasRenderingContext2D, { rect: [x0, y0, x1], door }: ZoneState, art: Art): void {
  const face = art.color("wall.face");
  fillBox(pen, face, x0, y0 + 0.2, x1 - x0 + 1, 0.85);
  fillBox(pen, shade(face, -0.16), x0, y0 + 0.93, x1 - x0 + 1, 0.12);
  for (let x = x0 + 2; x < x1 - 1; x += 3) {
    if (door === null || door[1] !== y0 || Math.abs(door[0] - x) > 1) {
      paintWindow(pen, x + 0.2, y0 + 0.42, 0.6, 0.38);
    }
  }
}

/** The outside of the wall in the south. */
function paintFront(pen: CanvasRenderingContext2D, { rect, door }: ZoneState, index: number, art: Art): void {
  const [x0, , x1, y1] = rect;
  const w = x1 - x0 + 1;
  const face = shade(art.color("wall.face"), -0.04);
  fillBox(pen, face, x0, y1 + 1 - FACADE, w, FACADE);
  fillBox(pen, shade(face, -0.3), x0, y1 + 0.93, w, 0.07);
  for (let x = x0 + 1; x < x1; x += 2) {
    if (door === null || door[1] !== y1 || Math.abs(door[0] - x) > 1) {
      paintWindow(pen, x + 0.15, y1 + 0.6, 0.7, 0.28);
      fillBox(pen, shade(roofColor(art, index), -0.1), x + 0.1, y1 + 0.88, 0.8, 0.06);
    }
  }
}

function paintWindow(pen: CanvasRenderingContext2D, x: number, y: number, w: number, h: number): void {
  fillBox(pen, "#6b5644", x - 0.05, y - 0.05, w + 0.1, h + 0.1);
  const glass = pen.createLinearGradient(x, y, x + w, y + h);
  glass.addColorStop(0, "#d6f1ff");
  glass.addColorStop(0.5, "#8fc7e6");
  glass.addColorStop(1, "#b9e2f5");
  pen.fillStyle = glass;
  pen.fillRect(x, y, w, h);
  fillBox(pen, "#6b5644", x + w / 2 - 0.02, y, 0.04, h);
}

/** What is left of a roof that is taken off: its edge all around. */
function paintRim(pen: CanvasRenderingContext2D, [x0, y0, x1, y1]: Rect, color: string): void {
  const [w, h] = [x1 - x0 + 1, y1 - y0 + 1];
  const depth = h - FACADE;
  const strips = [
    [x0 - EAVES, y0 - EAVES, w + EAVES * 2, RIM + EAVES],
    [x0 - EAVES, y0 - EAVES, RIM + EAVES, depth + EAVES],
    [x1 + 1 - RIM, y0 - EAVES, RIM + EAVES, depth + EAVES],
    [x0 - EAVES, y1 + 1 - FACADE - RIM * 0.7, w + EAVES * 2, RIM * 0.7 + 0.06],
  ] as const;
  for (const [x, y, wide, tall] of strips) {
    fillBox(pen, color, x, y, wide, tall);
  }
  pen.lineWidth = 0.035;
  pen.strokeStyle = shade(color, -0.28);
  for (const [x, y, wide, tall] of strips) {
    for (let at = 0.22; at < Math.max(wide, tall); at += 0.22) {
      pen.beginPath();
      pen.moveTo(wide > tall ? x + at : x, wide > tall ? y : y + at);
      pen.lineTo(wide > tall ? x + at : x + wide, wide > tall ? y + tall : y + at);
      pen.stroke();
    }
  }
  pen.strokeStyle = shade(color, 0.25);
  pen.lineWidth = 0.06;
  pen.strokeRect(x0 - EAVES + 0.03, y0 - EAVES + 0.03, w + EAVES * 2 - 0.06, depth + EAVES);
  pen.strokeStyle = shade(color, -0.45);
  pen.lineWidth = 0.05;
  pen.strokeRect(x0 + RIM, y0 + RIM, w - RIM * 2, depth - RIM * 1.7);
}

/** A doorway: the wall is open there, with a frame, a step and a mat. */
function paintDoor(pen: CanvasRenderingContext2D, { rect: [x0, y0, x1, y1], door }: ZoneState, art: Art): void {
  if (door === null) {
    return;
  }
  const [x, y] = door;
  const sill = shade(art.color("ground.path"), -0.1);
  const frame = "#5b3a26";
  if (x === x0 || x === x1) {
    fillBox(pen, frame, x - 0.15, y - 0.06, 1.3, 1.12);
    fillBox(pen, sill, x - 0.15, y + 0.06, 1.3, 0.88);
    return;
  }
  const top = y === y0 ? y - EAVES : y - 0.3;
  const bottom = y === y1 ? y + 1 : y + 1.05;
  fillBox(pen, frame, x - 0.02, top, 1.04, bottom - top);
  fillBox(pen, sill, x + 0.1, top, 0.8, bottom - top);
  const outside = y === y0 ? y - 0.55 : y + 1;
  fillRound(pen, "#a8432f", [x + 0.14, outside + 0.08, 0.72, 0.38], 0.08);
  fillRound(pen, "#c65d43", [x + 0.22, outside + 0.14, 0.56, 0.26], 0.05);
}

const FLOORS: Readonly<Record<string, string>> = {
  home: "floor.home",
  gym: "floor.gym",
  office: "floor.office",
};
