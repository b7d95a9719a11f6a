import type { ArgumentSchema, CommandRow } from "../state/console";
import type { Json, JsonObject } from "../state/json";

export type FieldKind = "text" | "number" | "integer" | "flag" | "choice" | "list" | "json";

/** One input of a form. */
export interface FormField {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  choices: readonly string[];
  minimum?: number;
  maximum?: number;
  initial: string;
  hint: string;
}

/** Returns the inputs for the arguments of a command. */
export function fieldsOf(command: CommandRow): FormField[] {
  const required = new Set(command.arguments.required ?? []);
  return Object.entries(command.arguments.properties ?? {}).map(([name, schema]) => {
    const plain = withoutNull(schema);
    return {
      name,
      kind: kindOf(plain),
      isRequired: required.has(name),
      choices: (plain.enum ?? []).map(String),
      minimum: plain.minimum,
      maximum: plain.maximum,
      initial: schema.default === undefined || schema.default === null ? "" : textOf(schema.default),
      hint: schema.description ?? plain.description ?? "",
    };
  });
}

/** Turns what was typed into arguments; empty optional inputs are left out. Throws with a sentence for people. */
export function argumentsFrom(fields: readonly FormField[], typed: Readonly<Record<string, string>>): JsonObject {
  const given: Record<string, Json> = {};
  for (const field of fields) {
    const text = (typed[field.name] ?? field.initial).trim();
    if (text === "") {
      if (field.isRequired) {
        throw new Error(`${field.name} is needed`);
      }
      continue;
    }
    given[field.name] = typedValue(field, text);
  }
  return given;
}

function typedValue(field: FormField, text: string): Json {
  switch (field.kind) {
    case "number":
    case "integer": {
      const value = Number(text);
      if (!Number.isFinite(value) || (field.kind === "integer" && !Number.isInteger(value))) {
        throw new Error(`${field.name} is a ${field.kind === "integer" ? "whole " : ""}number, not ${text}`);
      }
      return value;
    }
    case "flag":
      return text === "true";
    case "list":
      return text.split(",").map((part) => part.trim());
    case "json":
      try {
        return JSON.parse(text) as Json;
      } catch {
        throw new Error(`${field.name} is JSON, such as {"hunger": 0.5}`);
      }
    default:
      return text;
  }
}

function withoutNull(schema: ArgumentSchema): ArgumentSchema {
  const kinds = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  return kinds.length === 1 && kinds[0] !== undefined ? kinds[0] : schema;
}

function kindOf(schema: ArgumentSchema): FieldKind {
  if (schema.enum !== undefined) {
    return "choice";
  }
  switch (schema.type) {
    case "string":
      return "text";
    case "number":
      return "number";
    case "integer":
      return "integer";
    case "boolean":
      return "flag";
    case "array":
      return schema.items?.type === "string" ? "list" : "json";
    default:
      return schema.type === undefined && schema.anyOf !== undefined ? "text" : "json";
  }
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
