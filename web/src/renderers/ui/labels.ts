import { capitalize } from "../../shared/capitalize";

/** Returns `FOCUSED_SCAN_SELECTED` as Focused scan selected. */
export function humanize(label: string): string {
  return capitalize(label.toLowerCase().replaceAll("_", " ").trim());
}
