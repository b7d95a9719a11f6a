import { isObject, type Json } from "./json";
import type { LiveEvent } from "./messages";

const HIDDEN = new Set(["event", "tick", "seq_in_tick", "priority"]);

/** Returns an event in one line: its name, then what it says. */
export function eventText(event: LiveEvent): string {
  const fields = Object.entries(event).filter(([name]) => !HIDDEN.has(name));
  const told = fields.map(([name, value]) => `${name.replaceAll("_", " ")} ${valueText(value)}`);
  return [event.event.replaceAll("_", " "), ...told].join(" · ");
}

export function valueText(value: Json): string {
  if (Array.isArray(value)) {
    return value.map(valueText).join(", ");
  }
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, inner]) => `${name} ${valueText(inner)}`)
      .join(", ");
  }
  return value === null ? "–" : String(value);
}
