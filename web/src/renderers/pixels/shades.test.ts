import { expect, it } from "vitest";
import { fromBase64, paintBrightness, paintShades } from "./shades";

const rgba = (pixels: Uint32Array) => [...new Uint8Array(pixels.buffer)];

it("unpacks four pixels of a byte from the lowest bits up", () => {
  const pixels = new Uint32Array(4);
  paintShades(new Uint8Array([0b11100100]), "grey", pixels);

  expect(rgba(pixels)).toEqual([255, 255, 255, 255, 170, 170, 170, 255, 85, 85, 85, 255, 0, 0, 0, 255]);
});

it("paints every palette, the lightest shade first", () => {
  const pixels = new Uint32Array(4);
  paintShades(new Uint8Array([0]), "green", pixels);

  expect(rgba(pixels).slice(0, 4)).toEqual([0xe3, 0xee, 0xc0, 255]);
});

it("paints brightness", () => {
  const pixels = new Uint32Array(2);
  paintBrightness(new Uint8Array([0, 200]), pixels);

  expect(rgba(pixels)).toEqual([0, 0, 0, 255, 200, 200, 200, 255]);
});

it("reads base64", () => {
  expect([...fromBase64("AAH/")]).toEqual([0, 1, 255]);
});
