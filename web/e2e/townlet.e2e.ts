import { join } from "node:path";
import { describe, expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { isNight } from "./fixtures/night";
import { recordTown, TOWN_RUN } from "./fixtures/runs";
import { expectToFit, PHONE } from "./fixtures/screens";
import { Server } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";
import { countColors, MANY_COLORS } from "./pages/picture";
import { PlayPage } from "./pages/play";
import { WatchPage } from "./pages/watch";

const DESKTOP = { width: 1280, height: 800 };

const test = base.extend<{ hall: Server; mayor: Visitor }>({
  hall: [
    async ({ browser: _ }, use) => {
      const root = join(inject("scratch"), "town");
      await recordTown(root);
      const server = await Server.start(root);
      await use(server);
      await server.stop();
    },
    { scope: "file" },
  ],
  mayor: async ({ arrive, hall }, use) => use(await arrive({ server: hall.address, ...DESKTOP })),
});

describe("a town", () => {
  test("can be watched, and everybody in it looked at", async ({ mayor }) => {
    const { page } = mayor;
    const watch = new WatchPage(page);
    await page.goto(`/watch/${TOWN_RUN}`);
    await watch.waitForPicture();
    await watch.jumpTo(100);
    expect(await watch.words()).toMatch(/^Day 1, 02:\d\d\. Ada .* \(in home 1\)/);

    const roofless = await watch.viewport.screenshot();
    await page.getByTestId("tool-roofs").click();
    await expect.poll(async () => (await watch.viewport.screenshot()).equals(roofless)).toBe(false);

    await page.getByTestId("subjects").getByRole("button", { name: "Dario" }).click();
    await page.getByTestId("hud").getByText("Home 2").waitFor();
    await page.getByTestId("event-log").getByText("Ada slept well").waitFor();
    await mayor.takePicture("townlet-watch-dark");
    expect(await findBarriers(page)).toEqual([]);
  });

  test("has a citizen who can be led while the others lead themselves", async ({ mayor }) => {
    const { page } = mayor;
    const play = new PlayPage(page);
    await play.open("/play?world=townlet");
    await expect.poll(() => countColors(page.getByTestId("viewport"))).toBeGreaterThan(MANY_COLORS);
    const work = play.deck.getByRole("button", { name: /^Go to work/ });
    expect(await work.getAttribute("aria-disabled")).toBe("true");

    await page.keyboard.press("5");
    await page.keyboard.press(".");
    await play.waitForDecisions(1);
    await page.getByTestId("last-step").getByText("Go to bed").waitFor();
    expect(await page.getByTestId("hud").textContent()).toContain("Is off to bed");
    expect(await page.getByTestId("viewport").getAttribute("aria-label")).toContain("Bram is off to bed");

    await page.getByTestId("subjects").getByRole("button", { name: "Hugo" }).click();
    await page.getByRole("button", { name: "Start over as Hugo" }).click();
    await play.waitForDecisions(0);
    await page.getByTestId("hud").getByText("Attendant").waitFor();
    await mayor.takePicture("townlet-play-dark");
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await expectToFit(page);
    await mayor.takePicture(`townlet-play-dark-${PHONE.width}`);
  });

  test.runIf(isNight())("has a citizen who can be walked step by step, by keys and by clicks", async ({ mayor }) => {
    const { page } = mayor;
    const play = new PlayPage(page);
    await play.open("/play?world=townlet&variant=primitive");
    await expect.poll(() => countColors(page.getByTestId("viewport"))).toBeGreaterThan(MANY_COLORS);
    const talk = play.deck.getByRole("button", { name: /^Talk – nobody/ });
    expect(await talk.getAttribute("aria-disabled")).toBe("true");

    await page.keyboard.press("ArrowDown");
    await play.waitForDecisions(1);
    await page.getByTestId("last-step").getByText("Walk south").waitFor();
    await page.keyboard.press("Space");
    await play.waitForDecisions(2);
    await page.getByTestId("viewport").click({ position: { x: 20, y: 300 } });
    await play.waitForDecisions(3);
    await page.getByTestId("last-step").getByText("Walk west").waitFor();
    await mayor.takePicture("townlet-primitives-dark");

    await page.getByRole("combobox", { name: "Variant" }).click();
    await page.getByRole("option", { name: "Default" }).click();
    await play.deck.getByRole("button", { name: /^Go to bed/ }).waitFor();
    expect(new URL(page.url()).search).toBe("?world=townlet");
  });
});
