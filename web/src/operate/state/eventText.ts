import { isObject, type Json } from "./json";
import type { LiveEvent } from "./messages";

const HIDDEN = new Set(["event", "tick", "seq_in_tick", "priority"]);

/** Returns an event in one line: its name, then what it says; who is called by an id is called by name. */
export function eventText(event: LiveEvent, nameOf: (id: string) => string = (id) => id): string {
  if (event.event === "console_result") {
    return commandText(event);
  }
  const fields = Object.entries(event).filter(([name]) => !HIDDEN.has(name));
  const told = fields.map(
    ([name, value]) => `${name.replace(/_id$/, "").replaceAll("_", " ")} ${valueText(value, nameOf)}`,
  );
  return [event.event.replaceAll("_", " "), ...told].join(" · ");
}

/** Returns who commanded what, and whether it was done. */
function commandText({ issuer, name, status, error }: LiveEvent): string {
  const code = isObject(error) ? valueText(error.code ?? null) : "";
  return `${valueText(issuer ?? null)} gave ${valueText(name ?? null)}: ${status === "ok" ? "done" : code}`;
}

export function valueText(value: Json, nameOf: (id: string) => string = (id) => id): string {
  if (Array.isArray(value)) {
    return value.map((item) => valueText(item, nameOf)).join(", ");
  }
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, inner]) => `${name.replaceAll("_", " ")} ${valueText(inner, nameOf)}`)
      .join(", ");
  }
  return value === null ? "–" : typeof value === "string" ? nameOf(value) : String(value);
}
