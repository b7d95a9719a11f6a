/** Returns `FOCUSED_SCAN_SELECTED` as Focused scan selected. */
export function humanize(label: string): string {
  const words = label.toLowerCase().replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export type EventTone = "bad" | "warn" | "good" | "plain";

const TONES: Readonly<Record<string, EventTone>> = {
  invalid_action: "bad",
  pirate_encounter: "bad",
  destroyed: "bad",
  stranded: "bad",
  overheat_tick: "warn",
  fracture: "warn",
  asteroid_depleted: "warn",
  sell: "good",
  cash_out: "good",
};

/** Returns how an event should be felt; those not listed are ordinary work. */
export function eventTone(name: string): EventTone {
  return TONES[name] ?? "plain";
}
