import type { JsonObject } from "../../api/types";
import type { RenderState } from "../../renderers/renderer";

/** The first message of a wall. */
export interface WallOpening {
  type: "wall";
  world: string;
  copies: number;
  player: string;
  config: JsonObject;
  rows: number;
  columns: number;
  /** 2: four shades, four pixels a byte; 8: brightness. */
  bits: 2 | 8;
  bytes_per_picture: number;
  tick_seconds: number;
}

/** How a wall is doing, about once a second. */
export interface WallFigures {
  type: "figures";
  steps: number;
  steps_per_second: number;
  ticks_per_second: number;
  episodes: number;
  successes: number | null;
  return_mean: number | null;
  headline: Record<string, number | null>;
}

/** One copy, closely. */
export interface WallLane {
  type: "lane";
  copy: number;
  action: number[];
  reward: number;
  return_total: number;
  render_state: RenderState;
}

export type WallMessage = WallOpening | WallFigures | WallLane | { type: "error"; detail: string };

/** New pictures of some of the copies. */
export interface WallPictures {
  number: number;
  steps: number;
  lanes: Uint16Array;
  /** A byte for every copy; see `ENDED` and `SUCCEEDED`. */
  marks: Uint8Array;
  /** The bytes of the lanes' pictures, one after another. */
  bytes: Uint8Array;
}

export const ENDED = 1;
export const SUCCEEDED = 2;
const HEADER_BYTES = 12;

/** Reads a binary message; null for bytes that are none of this wall. */
export function readPictures(data: ArrayBuffer, opening: WallOpening): WallPictures | null {
  if (data.byteLength < HEADER_BYTES) {
    return null;
  }
  const header = new DataView(data);
  const changed = header.getUint16(8, true);
  const marksAt = HEADER_BYTES + changed * 2;
  const bytesAt = marksAt + opening.copies;
  if (data.byteLength !== bytesAt + changed * opening.bytes_per_picture) {
    return null;
  }
  return {
    number: header.getUint32(0, true),
    steps: header.getUint32(4, true),
    lanes: Uint16Array.from({ length: changed }, (_, at) => header.getUint16(HEADER_BYTES + at * 2, true)),
    marks: new Uint8Array(data, marksAt, opening.copies),
    bytes: new Uint8Array(data, bytesAt),
  };
}
