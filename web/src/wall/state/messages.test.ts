import { expect, it } from "vitest";
import { readPictures, type WallOpening } from "./messages";

const OPENING: WallOpening = {
  type: "wall",
  world: "gameboy",
  copies: 3,
  player: "random",
  config: {},
  rows: 1,
  columns: 8,
  bits: 2,
  bytes_per_picture: 2,
  tick_seconds: 1 / 60,
};

function message(lanes: number[], marks: number[], bytes: number[]): ArrayBuffer {
  const data = new Uint8Array(12 + lanes.length * 2 + marks.length + bytes.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, 9, true);
  view.setUint32(4, 500, true);
  view.setUint16(8, lanes.length, true);
  for (const [at, lane] of lanes.entries()) {
    view.setUint16(12 + at * 2, lane, true);
  }
  data.set(marks, 12 + lanes.length * 2);
  data.set(bytes, 12 + lanes.length * 2 + marks.length);
  return data.buffer;
}

it("reads which copies changed, how they fared and what they show", () => {
  const read = readPictures(message([2], [0, 1, 3], [7, 8]), OPENING);

  expect(read).toMatchObject({ number: 9, steps: 500 });
  expect([...(read?.lanes ?? [])]).toEqual([2]);
  expect([...(read?.marks ?? [])]).toEqual([0, 1, 3]);
  expect([...(read?.bytes ?? [])]).toEqual([7, 8]);
});

it("takes nothing for a message that is none", () => {
  expect(readPictures(new ArrayBuffer(3), OPENING)).toBeNull();
  expect(readPictures(message([0], [0, 0, 0], [1]), OPENING)).toBeNull();
});
