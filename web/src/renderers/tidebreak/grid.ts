import type { DepthState } from "./state";

/** Returns the bytes of a base64 text. */
export function bytesOf(data: string): Uint8Array {
  return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
}

/** Returns depths of a raster in meters, row 0 in the south, 0 for land; nodes lie on the edges of the map. */
export function depthNodes(depth: DepthState): { rows: number; columns: number; meters: Float64Array } {
  if ("uniform_m" in depth) {
    return { rows: 2, columns: 2, meters: new Float64Array(4).fill(depth.uniform_m) };
  }
  const meters = Float64Array.from(bytesOf(depth.data), (byte) =>
    byte === 0 ? 0 : depth.scale_m * ((byte - 1) / 254) ** 2,
  );
  return { rows: depth.rows, columns: depth.columns, meters };
}

/** Returns the value of a raster between its nodes; `u` and `v` run from 0 to 1, west to east and south to north. */
export function between(values: Float64Array, columns: number, rows: number, u: number, v: number): number {
  const [x, y] = [u * (columns - 1), v * (rows - 1)];
  const [column, row] = [Math.min(columns - 2, Math.floor(x)), Math.min(rows - 2, Math.floor(y))];
  const [fx, fy] = [x - column, y - row];
  const at = (c: number, r: number) => values[r * columns + c] ?? 0;
  const south = at(column, row) * (1 - fx) + at(column + 1, row) * fx;
  const north = at(column, row + 1) * (1 - fx) + at(column + 1, row + 1) * fx;
  return south * (1 - fy) + north * fy;
}
