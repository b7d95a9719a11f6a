import { formatNumber } from "../../shared/format";
import type { RenderState } from "../renderer";
import { humanize } from "../ui/labels";
import { type Board, boardOf } from "./board";

/** One line of what a world tells about a moment. */
export interface Fact {
  label: string;
  text: string;
}

/** A moment of a world that nobody has drawn a picture for. */
export interface Facts {
  boards: readonly { key: string; board: Board }[];
  lines: readonly Fact[];
  /** What the letters of the boards stand for. */
  legend: Readonly<Record<string, string>>;
}

const SHOWN_ELSEWHERE = new Set(["schema_version", "headline", "time", "time_remaining", "legend"]);
const MOST_LINES = 40;

/** Sorts what a world tells into boards and lines. */
export function factsOf(state: RenderState): Facts {
  const entries = Object.entries(state).filter(([key]) => !SHOWN_ELSEWHERE.has(key));
  const legend = legendOf(state.legend);
  // Without a legend a list of texts is taken for what it says: names may happen to be equally long.
  const hasLetters = Object.keys(legend).length > 0;
  const boards = entries.flatMap(([key, value]) => {
    const board = boardOf(value, hasLetters);
    return board === null ? [] : [{ key, board }];
  });
  const drawn = new Set(boards.map(({ key }) => key));
  const lines = entries.filter(([key]) => !drawn.has(key)).flatMap(([key, value]) => linesOf([key], value));
  return { boards, lines: lines.slice(0, MOST_LINES), legend };
}

function linesOf(path: readonly string[], value: unknown): Fact[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, inner]) => linesOf([...path, key], inner));
  }
  return [{ label: path.map(humanize).join(" · "), text: textOf(value) }];
}

function textOf(value: unknown): string {
  if (typeof value === "number") {
    return formatNumber(value);
  }
  if (typeof value === "boolean") {
    return value ? "yes" : "no";
  }
  if (value === null || value === undefined) {
    return "–";
  }
  if (Array.isArray(value)) {
    return value.map((item) => (isRecord(item) ? JSON.stringify(item) : textOf(item))).join(", ") || "none";
  }
  return String(value);
}

function legendOf(value: unknown): Record<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
