import type { JsonValue } from "../../api/types";

export interface DiffRow {
  path: string;
  /** One per run, in order; undefined where the run has no such key. */
  values: (JsonValue | undefined)[];
  isDifferent: boolean;
}

/** Returns every leaf of the configurations, sorted by path, with the value each run has there. */
export function diffConfigs(configs: readonly JsonValue[]): DiffRow[] {
  const flattened = configs.map((config) => flatten(config));
  const paths = [...new Set(flattened.flatMap((leaves) => [...leaves.keys()]))].sort();
  return paths.map((path) => {
    const values = flattened.map((leaves) => leaves.get(path));
    return { path, values, isDifferent: new Set(values.map((value) => JSON.stringify(value))).size > 1 };
  });
}

/** Lists count as one value: an order of layers or thresholds is read as a whole. */
function flatten(value: JsonValue, path = "", leaves = new Map<string, JsonValue>()): Map<string, JsonValue> {
  const isBranch =
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  if (!isBranch) {
    leaves.set(path, value);
    return leaves;
  }
  for (const [key, inner] of Object.entries(value)) {
    flatten(inner, path === "" ? key : `${path}.${key}`, leaves);
  }
  return leaves;
}

export function showConfigValue(value: JsonValue | undefined): string {
  if (value === undefined) {
    return "not set";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
