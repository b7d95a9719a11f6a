import type { EventLine } from "../renderer";

/** Returns what led to a line, nearest first, and whether the chain is known to its root. */
export function causesOf(line: EventLine, lines: readonly EventLine[]): { links: EventLine[]; isWhole: boolean } {
  const byId = new Map(lines.map((one) => [one.id, one]));
  const links: EventLine[] = [];
  let next = line.cause;
  while (next !== 0 && next !== null) {
    const cause = byId.get(next);
    if (cause === undefined || links.includes(cause)) {
      return { links, isWhole: false };
    }
    links.push(cause);
    next = cause.cause;
  }
  return { links, isWhole: true };
}
