import { describe, expect, it } from "vitest";
import type { CommandRow } from "../state/console";
import { argumentsFrom, fieldsOf } from "./argumentForm";

const teleport: CommandRow = {
  name: "teleport",
  role: "admin",
  needs_id: true,
  summary: "Moves somebody.",
  usage: "teleport agent_id x y [force=False]",
  arguments: {
    required: ["agent_id", "x"],
    properties: {
      agent_id: { type: "string" },
      x: { type: "integer", minimum: 0 },
      force: { type: "boolean", default: false },
      mode: { enum: ["on", "off"], default: "on" },
      wallet: { anyOf: [{ type: "number" }, { type: "null" }], default: null },
      agents: { type: "array", items: { type: "string" } },
      needs: { type: "object" },
    },
  },
};

describe("a form", () => {
  const fields = fieldsOf(teleport);

  it("has an input for every argument", () => {
    expect(fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ["agent_id", "text", true],
      ["x", "integer", true],
      ["force", "flag", false],
      ["mode", "choice", false],
      ["wallet", "number", false],
      ["agents", "list", false],
      ["needs", "json", false],
    ]);
  });

  it("turns what was typed into arguments", () => {
    const typed = { agent_id: " ada ", x: "3", force: "true", wallet: "2.5", agents: "ada, bo", needs: '{"hunger":1}' };
    expect(argumentsFrom(fields, typed)).toEqual({
      agent_id: "ada",
      x: 3,
      force: true,
      mode: "on",
      wallet: 2.5,
      agents: ["ada", "bo"],
      needs: { hunger: 1 },
    });
  });

  it.each([
    [{ x: "3" }, "agent_id is needed"],
    [{ agent_id: "ada", x: "3.5" }, "x is a whole number, not 3.5"],
    [{ agent_id: "ada", x: "3", needs: "hunger" }, "needs is JSON"],
  ])("says what is wrong with %j", (typed, complaint) => {
    expect(() => argumentsFrom(fields, typed as Record<string, string>)).toThrow(complaint);
  });
});
