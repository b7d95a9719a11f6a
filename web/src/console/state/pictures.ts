/** One binary message of a console. */
export interface ConsolePicture {
  number: number;
  frameCount: number;
  keys: number;
  isPaused: boolean;
  isTrapped: boolean;
  /** Absent where the screen shows what it showed before. */
  packed: Uint8Array | null;
}

const HEADER_BYTES = 12;
const PAUSED = 1;
const TRAPPED = 2;

/** Reads a message; null for bytes that are none. */
export function readPicture(data: ArrayBuffer): ConsolePicture | null {
  if (data.byteLength < HEADER_BYTES) {
    return null;
  }
  const header = new DataView(data);
  const flags = header.getUint8(9);
  return {
    number: header.getUint32(0, true),
    frameCount: header.getUint32(4, true),
    keys: header.getUint8(8),
    isPaused: (flags & PAUSED) !== 0,
    isTrapped: (flags & TRAPPED) !== 0,
    packed: data.byteLength > HEADER_BYTES ? new Uint8Array(data, HEADER_BYTES) : null,
  };
}
