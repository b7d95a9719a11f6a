import { expect, test } from "vitest";
import { safeHref } from "./safeHref";

test.each([
  ["https://example.org/run", "https://example.org/run"],
  ["javascript:alert(1)", null],
  ["data:text/html,x", null],
  ["not an address", null],
  [null, null],
])("%s may be linked as %s", (address, linked) => {
  expect(safeHref(address)).toBe(linked);
});
