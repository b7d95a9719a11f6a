import type { QueryClient } from "@tanstack/react-query";
import { replayWorldQuery, worldQuery } from "../../api/queries";
import type { WorldDescriptor } from "../../api/types";
import { likelyWorld, loadWorldModule } from "../../renderers/registry";
import { sceneQuery } from "../../renderers/sceneQuery";
import { askForOpening } from "../transport/http";
import { parsePath, parseSearch } from "./deepLink";
import { replayQuery } from "./replayQuery";

/** Asks for all that the replay in an address needs while the page that shows it is still being fetched. */
export function openEarly(client: QueryClient, address: { pathname: string; search: string }): void {
  const ref = parsePath(address.pathname);
  if (ref === null) {
    return;
  }
  if (parseSearch(address.search).t === null) {
    askForOpening(ref);
  }
  // What fails here is asked again, and its failure shown, by the page.
  const likely = likelyWorld();
  void prepareWorld(client, likely, client.fetchQuery(worldQuery(likely))).catch(() => undefined);
  void client
    .fetchQuery(replayQuery(ref))
    .then((detail) => prepareWorld(client, detail.replay.world, client.fetchQuery(replayWorldQuery(detail))))
    .catch(() => undefined);
}

async function prepareWorld(client: QueryClient, world: string, descriptor: Promise<WorldDescriptor>): Promise<void> {
  void loadWorldModule(world).catch(() => undefined);
  await client.fetchQuery(sceneQuery(await descriptor));
}
