import { flagAt, type JsonObject, numberAt, textAt } from "./json";

export type Band = "good" | "amber" | "red";

/** Judges a number by its target; null where there is none. */
export function bandOf(value: number | null, target: JsonObject): Band | null {
  const [amber, red] = [numberAt(target, "amber"), numberAt(target, "red")];
  if (value === null || amber === null || red === null) {
    return null;
  }
  const isHigherBetter = textAt(target, "better") === "higher";
  const isAt = flagAt(target, "at");
  const isBeyond = (bound: number) => (isHigherBetter ? value < bound : value > bound) || (isAt && value === bound);
  return isBeyond(red) ? "red" : isBeyond(amber) ? "amber" : "good";
}
