/** Values as they come in messages. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

export function numberAt(value: Json | undefined, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === "number" ? found : null;
}

export function textAt(value: Json | undefined, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" ? found : null;
}

export function flagAt(value: Json | undefined, ...path: readonly string[]): boolean {
  return at(value, ...path) === true;
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = value;
  for (const key of path) {
    found = isObject(found) ? found[key] : undefined;
  }
  return found;
}
