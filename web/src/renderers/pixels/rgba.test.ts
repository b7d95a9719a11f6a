import { expect, it } from "vitest";
import { toImage } from "./rgba";

const picture = (shape: number[], bytes: number[]) => toImage({ name: "screen", shape, bytes: new Uint8Array(bytes) });

it("reads colors with and without opacity", () => {
  expect([...(picture([1, 1, 3], [1, 2, 3])?.data ?? [])]).toEqual([1, 2, 3, 255]);
  expect([...(picture([1, 1, 4], [1, 2, 3, 9])?.data ?? [])]).toEqual([1, 2, 3, 9]);
});

it("reads brightness, and shades where there are but four", () => {
  expect([...(picture([1, 2], [0, 200])?.data ?? [])]).toEqual([0, 0, 0, 255, 200, 200, 200, 255]);
  expect([...(picture([1, 2], [0, 3])?.data ?? [])]).toEqual([255, 255, 255, 255, 0, 0, 0, 255]);
});

it("keeps rows and columns apart", () => {
  expect(picture([2, 3], [9, 9, 9, 9, 9, 9])).toMatchObject({ width: 3, height: 2 });
});

it("takes nothing for a picture that is none", () => {
  expect(picture([6], [0, 0, 0, 0, 0, 0])).toBeNull();
  expect(picture([2, 3], [0])).toBeNull();
});
