import { expect, it } from "vitest";
import type { ProgramRow } from "./calls";
import { firstPlayable, groupPrograms, sizeWords } from "./programs";

const program = (given: Partial<ProgramRow> & { id: string }): ProgramRow => ({
  title: given.id,
  source: "game",
  hardware: "no mapper",
  size_bytes: 32_768,
  about: "",
  supported: true,
  problem: null,
  config: null,
  ...given,
});

const PROGRAMS = [
  program({ id: "CATCH", about: "catch what falls" }),
  program({ id: "mine/odd.gb", title: "ODD", source: "folder", supported: false, problem: "damaged" }),
  program({ id: "JOY_ECHO", source: "test" }),
];

it("groups programs by where they come from", () => {
  expect(groupPrograms(PROGRAMS, "").map(({ title }) => title)).toEqual(["Games", "Your ROMs", "Test ROMs"]);
});

it.each([
  ["falls", ["CATCH"]],
  ["MINE odd", ["mine/odd.gb"]],
  ["nothing", []],
])("finds %s", (search, ids) => {
  expect(groupPrograms(PROGRAMS, search).flatMap(({ programs }) => programs.map(({ id }) => id))).toEqual(ids);
});

it("plays the first that can be played", () => {
  expect(firstPlayable(PROGRAMS.slice(1))?.id).toBe("JOY_ECHO");
  expect(firstPlayable([])).toBeUndefined();
});

it.each([
  [32_768, "32 KiB"],
  [1_048_576, "1 MiB"],
  [1_572_864, "1.5 MiB"],
])("says %d bytes as %s", (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});
