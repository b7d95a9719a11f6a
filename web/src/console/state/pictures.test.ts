import { expect, it } from "vitest";
import { readPicture } from "./pictures";

function message(flags: number, picture: number[]): ArrayBuffer {
  const bytes = new Uint8Array(12 + picture.length);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, 7, true);
  header.setUint32(4, 123_456, true);
  header.setUint8(8, 0x11);
  header.setUint8(9, flags);
  bytes.set(picture, 12);
  return bytes.buffer;
}

it("reads a picture and what stands before it", () => {
  const read = readPicture(message(1, [1, 2, 3]));

  expect(read).toMatchObject({ number: 7, frameCount: 123_456, keys: 0x11, isPaused: true, isTrapped: false });
  expect([...(read?.packed ?? [])]).toEqual([1, 2, 3]);
});

it("knows a message whose picture is the one before", () => {
  expect(readPicture(message(2, []))).toMatchObject({ isPaused: false, isTrapped: true, packed: null });
});

it("takes nothing for a message that is none", () => {
  expect(readPicture(new ArrayBuffer(4))).toBeNull();
});
