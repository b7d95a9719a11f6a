import { isObject, type Json, type JsonObject } from "./json";

/**
 * Applies a JSON merge patch: null removes, objects are merged, anything else takes the place of what was there.
 *
 * Parts that the patch does not name are kept as they are, so that whoever shows them sees that nothing has changed.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) {
    return patch;
  }
  const merged: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete merged[key];
    } else {
      merged[key] = mergePatch(merged[key], value);
    }
  }
  return merged;
}

export function mergedObject(target: JsonObject, patch: JsonObject): JsonObject {
  return mergePatch(target, patch) as JsonObject;
}
