import { type EventTone, eventTone } from "../../renderers/events";

export interface Mark {
  frame: number;
  name: string;
  tone: EventTone;
}

const RANK: Readonly<Record<EventTone, number>> = { bad: 3, warn: 2, good: 1, plain: 0 };
/** Ordinary work happens at nearly every step and would bury what matters. */
const SHOWN_PLAIN = new Set(["travel", "dock", "terminated", "truncated"]);

/** Returns the marks of a timeline that is `columns` wide: per column the event that matters most. */
export function timelineMarks(events: ReadonlyMap<string, readonly number[]>, frames: number, columns: number): Mark[] {
  const byColumn = new Map<number, Mark>();
  for (const [name, places] of events) {
    const tone = eventTone(name);
    if (tone === "plain" && !SHOWN_PLAIN.has(name)) {
      continue;
    }
    for (const frame of places) {
      const column = Math.floor((frame / Math.max(1, frames)) * columns);
      const other = byColumn.get(column);
      if (other === undefined || RANK[tone] > RANK[other.tone]) {
        byColumn.set(column, { frame, name, tone });
      }
    }
  }
  return [...byColumn.values()].sort((a, b) => a.frame - b.frame);
}

/** Returns a curve as points in 0..1, thinned to the columns, with the gaps of what is not known left out. */
export function curvePoints(values: Float64Array, columns: number): { x: number; y: number; value: number }[][] {
  const finite = values.filter((value) => Number.isFinite(value));
  if (finite.length === 0) {
    return [];
  }
  const low = finite.reduce((a, b) => Math.min(a, b), 0);
  const high = finite.reduce((a, b) => Math.max(a, b), 0);
  const reach = high - low || 1;
  const step = Math.max(1, values.length / columns);
  const runs: { x: number; y: number; value: number }[][] = [[]];
  const isSparse = finite.length < values.length / 2;
  for (let at = 0; at < values.length; at += isSparse ? 1 : step) {
    const index = Math.min(values.length - 1, Math.floor(at));
    const value = values[index] ?? Number.NaN;
    if (Number.isFinite(value)) {
      runs.at(-1)?.push({ x: index / Math.max(1, values.length - 1), y: (value - low) / reach, value });
    } else if (!isSparse && (runs.at(-1)?.length ?? 0) > 0) {
      runs.push([]);
    }
  }
  return runs.filter((run) => run.length > 0);
}
