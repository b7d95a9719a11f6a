import { expect, test } from "vitest";
import { thin } from "./thin";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test("a short line stays as it is", () => {
  const series = { x: numbers(5), y: numbers(5), band: null };

  expect(thin(series, 5)).toBe(series);
});

test("a long line keeps even steps and its newest point", () => {
  const series = { x: numbers(10), y: numbers(10), band: { low: numbers(10), high: numbers(10) } };

  const thinned = thin(series, 4);

  expect(thinned.x).toEqual([0, 3, 6, 9]);
  expect(thinned.band?.high).toEqual([0, 3, 6, 9]);
});
