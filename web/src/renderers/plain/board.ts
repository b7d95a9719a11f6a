/** Rows of cells, all of one length, as text. */
export type Board = readonly (readonly string[])[];

const EMPTY = new Set(["", " ", ".", "0", "false"]);

/** Reads a value that is a plane of cells: equally long lists of texts and numbers, or equally long texts if they may be. */
export function boardOf(value: unknown, mayBeTexts: boolean): Board | null {
  if (!Array.isArray(value) || value.length < 2) {
    return null;
  }
  const rows = value.map((row) => cellsOf(row, mayBeTexts));
  const width = rows[0]?.length ?? 0;
  return width > 1 && rows.every((row) => row?.length === width) ? (rows as string[][]) : null;
}

/** Whether nothing stands in a cell. */
export function isEmpty(cell: string): boolean {
  return EMPTY.has(cell);
}

/** Numbers a content: by its place in the legend, else by its letters, so that it has the same color on every board. */
export function kindOf(cell: string, named: readonly string[]): number {
  const place = named.indexOf(cell);
  return place >= 0 ? place : [...cell].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), named.length);
}

function cellsOf(row: unknown, mayBeText: boolean): string[] | null {
  if (typeof row === "string") {
    return mayBeText ? [...row] : null;
  }
  if (Array.isArray(row) && row.every((cell) => ["string", "number", "boolean"].includes(typeof cell))) {
    return row.map(String);
  }
  return null;
}
