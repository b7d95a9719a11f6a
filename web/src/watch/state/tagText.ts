/** Returns a replay tag in words: `milestone:profit:500` as profit ≥ 500. */
export function tagText(tag: string): string {
  const [kind, ...rest] = tag.split(":");
  if (kind === "milestone" && rest.length === 2) {
    return `${rest[0]} ≥ ${rest[1]}`;
  }
  return tag.replaceAll("_", " ");
}
