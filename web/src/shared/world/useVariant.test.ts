import { expect, test } from "vitest";
import { searchWithVariant } from "./useVariant";

test("choosing a variant names its world and leaves the session of another", () => {
  expect(searchWithVariant("?session=ab&as=agent", "townlet", "primitive")).toBe(
    "as=agent&world=townlet&variant=primitive",
  );
  expect(searchWithVariant("world=townlet&variant=primitive", "townlet", null)).toBe("world=townlet");
});
