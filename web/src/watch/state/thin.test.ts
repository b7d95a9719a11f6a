import { expect, it } from "vitest";
import { thin } from "./thin";

it("keeps the ends and spreads the rest", () => {
  const values = Float64Array.from({ length: 101 }, (_, index) => index);
  expect(thin(values, 5)).toEqual([0, 25, 50, 75, 100]);
});

it("takes a known value nearby and says null where there is none", () => {
  const values = new Float64Array(100).fill(Number.NaN);
  values[1] = 7;
  expect(thin(values, 4)).toEqual([7, null, null, null]);
});

it("keeps short arrays whole", () => {
  expect(thin(Float64Array.of(3), 10)).toEqual([3]);
  expect(thin(new Float64Array(0), 10)).toEqual([]);
});
