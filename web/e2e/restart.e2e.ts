import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject } from "vitest";
import { Server } from "./fixtures/server";
import { test } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";
import { PlayPage } from "./pages/play";
import { StudyPage } from "./pages/study";
import { WatchPage } from "./pages/watch";

const ROOT = join(inject("scratch"), "runs");
/** What browsers report while nobody listens at the address. */
const SILENCE = [/ERR_CONNECTION_REFUSED/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/, /ERR_INCOMPLETE_CHUNKED/];

describe("a server that goes away and comes back", () => {
  let server: Server;
  beforeAll(async () => {
    server = await Server.start(ROOT);
  });
  afterAll(async () => server.stop());

  async function restart(...visitors: Visitor[]): Promise<void> {
    await server.stop();
    await Promise.all(visitors.map(({ page }) => banner(page).waitFor()));
    server = await Server.start(ROOT, { port: server.port });
    await Promise.all(visitors.map(({ page }) => banner(page).waitFor({ state: "detached" })));
  }

  test("is announced, and every page works again by itself", async ({ arrive }) => {
    const visitors = await Promise.all([0, 1, 2].map(() => arrive({ server: server.address })));
    const [watcher, player, student] = visitors as [Visitor, Visitor, Visitor];
    for (const visitor of visitors) {
      visitor.expectTrouble(...SILENCE);
    }
    const [watch, play, study] = [new WatchPage(watcher.page), new PlayPage(player.page), new StudyPage(student.page)];
    await watch.page.goto("/watch");
    await watch.readout.waitFor();
    await play.open();
    await study.page.goto("/analytics");
    await study.chart("Return").waitFor();

    await restart(...visitors);

    await watch.jumpTo(120);
    expect(await watch.words()).toContain("The ship is at");
    await study.choose(inject("runs").older);
    await expect.poll(() => study.words("Return")).toContain(`${inject("runs").older} goes from`);
    // The session went with the old server.
    player.expectTrouble(/404 (POST|DELETE) .*\/api\/play\/session\//, /console: .*404/);
    await play.action("Hold and drift").click();
    await play.page.getByRole("button", { name: "Start a new one" }).click();
    await play.waitForDecisions(0);
    await play.action("Hold and drift").click();
    await play.waitForDecisions(1);
  });
});

function banner(page: Visitor["page"]) {
  return page.getByRole("alert").filter({ hasText: "The server does not answer" });
}
