import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";

/** The variant of a world that the address names, or null for the default configuration. */
export function useVariant(): [string | null, (world: string, variant: string | null) => void] {
  const [path, go] = useLocation();
  const search = useSearch();
  const variant = new URLSearchParams(search).get("variant");
  const select = useCallback(
    (world: string, next: string | null) => go(`${path}?${searchWithVariant(search, world, next)}`, { replace: true }),
    [path, search, go],
  );
  return [variant, select];
}

/** A session was opened in one variant, so choosing another one leaves it. */
export function searchWithVariant(search: string, world: string, variant: string | null): string {
  const parameters = new URLSearchParams(search);
  parameters.delete("session");
  parameters.delete("variant");
  parameters.set("world", world);
  if (variant !== null) {
    parameters.set("variant", variant);
  }
  return `${parameters}`;
}
