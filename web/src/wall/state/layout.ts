/** Where the copies hang: rows and columns of a wall. */
export interface WallLayout {
  across: number;
  down: number;
}

/** A row that is not full is worth so much less. */
const RAGGED = 0.75;

/** Returns how so many pictures fill a place best: the layout in which each is largest, and rows are full. */
export function layOut(copies: number, picture: { rows: number; columns: number }, aspect: number): WallLayout {
  let best: WallLayout = { across: copies, down: 1 };
  let largest = 0;
  for (let across = 1; across <= copies; across += 1) {
    const down = Math.ceil(copies / across);
    const fit = Math.min(aspect / (across * picture.columns), 1 / (down * picture.rows));
    const worth = across * down === copies ? fit : fit * RAGGED;
    if (worth > largest) {
      largest = worth;
      best = { across, down };
    }
  }
  return best;
}

/** Returns which copy hangs at a place of the wall, 0 to 1 from its left and top; null for a place without one. */
export function laneAt(x: number, y: number, copies: number, { across, down }: WallLayout): number | null {
  const column = Math.floor(x * across);
  const row = Math.floor(y * down);
  if (column < 0 || column >= across || row < 0 || row >= down) {
    return null;
  }
  const lane = row * across + column;
  return lane < copies ? lane : null;
}

/** Returns the copy that an arrow key leads to from another one. */
export function laneBeside(lane: number, key: string, copies: number, { across }: WallLayout): number {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -across,
    ArrowDown: across,
  };
  const next = lane + (steps[key] ?? 0);
  return next >= 0 && next < copies ? next : lane;
}
