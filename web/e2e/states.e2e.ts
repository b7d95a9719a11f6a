import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { Server } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import { PlayPage } from "./pages/play";

const test = base.extend<{ emptyServer: Server }>({
  emptyServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of needed fixtures from the pattern
    async ({}, use) => {
      const root = join(inject("scratch"), "empty");
      await mkdir(root);
      const server = await Server.start(root);
      await use(server);
      await server.stop();
    },
    { scope: "file" },
  ],
});

describe("without runs", () => {
  test("every page says what to do, and Play works", async ({ emptyServer, arrive }) => {
    const { page } = await arrive({ server: emptyServer.address });
    await page.goto("/");
    await page.getByText("No runs yet").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("link", { name: "Watch", exact: true }).click();
    await page.waitForURL(/\/watch\/champion:prospector\/replay-/);
    await page.getByTestId("readout").waitFor();
    await page.getByRole("link", { name: "Study", exact: true }).click();
    await page.getByRole("heading", { name: "Nothing to study yet" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole("link", { name: "Play meanwhile" }).click();

    const play = new PlayPage(page);
    await play.waitForDecisions(0);
    await play.page.keyboard.press("h");
    await play.waitForDecisions(1);
    expect(await page.getByPlaceholder("Off; choose the champion").isEnabled()).toBe(true);
  });
});

describe("without a built client", () => {
  test("the server says how to build it", async ({ arrive }) => {
    const empty = join(inject("scratch"), "unbuilt");
    await mkdir(empty);
    const server = await Server.start(empty, { environment: { DIORAMA_CLIENT_DIR: empty } });
    const visitor = await arrive({ server: server.address });
    visitor.expectTrouble(/503/);

    await visitor.page.goto("/");

    await visitor.page.getByText("npm run build").waitFor();
    await server.stop();
  });
});

describe("when the server cannot answer", () => {
  test.for([
    { name: "the first page", path: "/", api: /\/api\/runs\?/, title: "Could not load the runs" },
    { name: "Watch", path: "/watch", api: /\/api\/(runs\?|best-replays)/, title: "The runs could not be read" },
    { name: "Study", path: "/analytics", api: /\/api\/runs\?/, title: "Could not load the runs" },
  ])("$name says so in the server's words and tries again", async ({ path, api, title }, { arrive }) => {
    const visitor = await arrive();
    const { page } = visitor;
    visitor.expectTrouble(/\b500\b/);
    await page.route(api, (route) => route.fulfill({ status: 500, json: { detail: "the disk is on fire" } }));
    await page.goto(path);
    await page.getByText(title).waitFor();
    await page.getByText("the disk is on fire").waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.unroute(api);
    await page.getByRole("button", { name: "Try again" }).click();

    await page.getByText(title).waitFor({ state: "detached" });
  });

  test("a replay that does not exist leads to the best", async ({ visitor }) => {
    visitor.expectTrouble(/\b404\b/);
    await visitor.page.goto("/watch/no-such-run/replay-000001-00000000");
    await visitor.page.getByRole("heading", { name: "This replay cannot be shown" }).waitFor();

    await visitor.page.getByRole("link", { name: "Show the best instead" }).click();

    await visitor.page.waitForURL(/\/watch\/(?!no-such-run)[^/]+\/replay-/);
  });

  test("a run that does not exist leads to the best", async ({ visitor }) => {
    visitor.expectTrouble(/\b404\b/);
    await visitor.page.goto("/watch/no-such-run");
    await visitor.page.getByRole("heading", { name: "There is no such run" }).waitFor();

    await visitor.page.getByRole("link", { name: "Show the best instead" }).click();

    await visitor.page.waitForURL(/\/watch\/(?!no-such-run)[^/]+\/replay-/);
  });

  test.for(["/play", "/analytics", "/watch", "/wall"])(
    "%s of a world that is not installed leads to those that are",
    async (path, { arrive }) => {
      const visitor = await arrive();
      visitor.expectTrouble(/\b404\b/);
      await visitor.page.goto(`${path}?world=atlantis`);
      await visitor.page.getByRole("heading", { name: "No world is called “atlantis” here" }).waitFor();
      expect(await findBarriers(visitor.page)).toEqual([]);

      await visitor.page.getByRole("button", { name: "Show all worlds" }).click();

      await visitor.page.getByRole("heading", { name: /atlantis/ }).waitFor({ state: "detached" });
      expect(await visitor.page.getByRole("combobox", { name: "World" }).inputValue()).toBe("All worlds");
    },
  );

  test("an address without a page leads to the first one", async ({ visitor: { page } }) => {
    await page.goto("/nowhere");
    await page.getByRole("heading", { name: "No page at this address" }).waitFor();
    expect(await page.title()).toBe("Not found · Diorama");
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole("link", { name: "Go to the first page" }).click();

    await page.getByRole("heading", { name: "Worlds", exact: true }).waitFor();
  });
});
