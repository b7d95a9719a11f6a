import { useLocalStorage } from "@mantine/hooks";
import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";

/**
 * The world that pages are narrowed to, or null for all of them.
 *
 * `?world=` in the address wins, so that a shared link shows what its sender saw; otherwise the last choice in this
 * browser holds.
 */
export function useSelectedWorld(): [string | null, (world: string | null) => void] {
  const [path, go] = useLocation();
  const search = useSearch();
  const [remembered, remember] = useLocalStorage<string | null>({ key: "diorama.world", defaultValue: null });
  const linked = new URLSearchParams(search).get("world");
  const select = useCallback(
    (world: string | null) => {
      remember(world);
      go(addressWithWorld(path, search, world), { replace: true });
    },
    [path, search, go, remember],
  );
  return [linked ?? remembered, select];
}

/** A replay, a variant and a session belong to one world, so choosing another one leaves them. */
function addressWithWorld(path: string, search: string, world: string | null): string {
  const parameters = path.startsWith("/watch") ? new URLSearchParams() : new URLSearchParams(search);
  parameters.delete("variant");
  parameters.delete("session");
  if (world === null) {
    parameters.delete("world");
  } else {
    parameters.set("world", world);
  }
  const target = path.startsWith("/watch") ? "/watch" : path;
  return parameters.size > 0 ? `${target}?${parameters}` : target;
}
