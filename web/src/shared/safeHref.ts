/** Returns an address from a run's files if it may be linked: web pages only, never a script. */
export function safeHref(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) {
    return null;
  }
  return ["http:", "https:"].includes(new URL(address).protocol) ? address : null;
}
