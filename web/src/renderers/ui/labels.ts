/** Returns `FOCUSED_SCAN_SELECTED` as Focused scan selected. */
export function humanize(label: string): string {
  const words = label.toLowerCase().replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
