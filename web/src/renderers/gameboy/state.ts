import { fromBase64 } from "../pixels/shades";
import type { RenderState } from "../renderer";

export const ROWS = 144;
export const COLUMNS = 160;
const PICTURE_BYTES = (ROWS * COLUMNS) / 4;

/** What this world shows of a moment. */
export interface GameboyState extends RenderState {
  /** Base64: four shades a pixel, four pixels a byte. */
  picture: string;
  frame_count: number;
  watch: Readonly<Record<string, number>>;
  rom: string;
  kind: string;
  stage: number;
  registers: Readonly<Record<string, number>>;
}

export function readState(state: RenderState): GameboyState {
  return state as GameboyState;
}

/** Returns the packed picture of a state; null where it has none. */
export function pictureOf(state: RenderState): Uint8Array | null {
  const { picture } = readState(state);
  if (typeof picture !== "string") {
    return null;
  }
  const packed = fromBase64(picture);
  return packed.length === PICTURE_BYTES ? packed : null;
}
