import { expect, it } from "vitest";
import { causesOf } from "./causes";

const line = (id: number, cause: number) => ({
  id,
  cause,
  tick: id,
  text: `${id}`,
  tone: "plain" as const,
  isMinor: false,
});
const LINES = [line(1, 0), line(2, 1), line(5, 2), line(9, 8)];

it("walks causes back to the root", () => {
  expect(causesOf(line(5, 2), LINES)).toEqual({ links: [line(2, 1), line(1, 0)], isWhole: true });
  expect(causesOf(line(1, 0), LINES)).toEqual({ links: [], isWhole: true });
});

it("tells where the chain leaves what is known", () => {
  expect(causesOf(line(9, 8), LINES)).toEqual({ links: [], isWhole: false });
});
