import { join } from "node:path";
import { describe, expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { isNight } from "./fixtures/night";
import { DUEL_RUN, recordDuel } from "./fixtures/runs";
import { DESKTOP, expectToFit, PHONE, TABLET } from "./fixtures/screens";
import { Server } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";
import { countColors, MANY_COLORS } from "./pages/picture";
import { PlayPage } from "./pages/play";
import { WatchPage } from "./pages/watch";

const test = base.extend<{ harbor: Server; admiral: Visitor }>({
  harbor: [
    async ({ browser: _ }, use) => {
      const root = join(inject("scratch"), "duel");
      await recordDuel(root);
      const server = await Server.start(root);
      await use(server);
      await server.stop();
    },
    { scope: "file" },
  ],
  admiral: async ({ arrive, harbor }, use) => use(await arrive({ server: harbor.address, ...DESKTOP })),
});

describe("a duel at sea", () => {
  test("can be watched as it is and as one side knows it", async ({ admiral }) => {
    const { page } = admiral;
    const watch = new WatchPage(page);
    await page.goto(`/watch/${DUEL_RUN}`);
    await watch.waitForPicture();
    await watch.jumpTo(150);
    expect(await watch.words()).toMatch(/Corvette 1 steers \d{3}°.*Blue: Corvette 1.*Red: Corvette 1/);

    const truth = await watch.viewport.screenshot();
    await page.getByTestId("tool-knowledge").click();
    await page.getByRole("menuitem", { name: "What Blue knows" }).click();
    await page.getByTestId("tool-sensors").click();
    await expect.poll(async () => (await watch.viewport.screenshot()).equals(truth)).toBe(false);
    await page.mouse.move(0, 0); // what the pointer rests on would be explained over the picture
    await admiral.takePicture("tidebreak-watch-dark");

    const log = page.getByTestId("event-log");
    await log.getByRole("button").first().click();
    await log.getByTestId("causes").waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test.runIf(isNight())("is fought with orders on seven heads, tick by tick and by the clock", async ({ admiral }) => {
    const { page } = admiral;
    const play = new PlayPage(page);
    await play.open("/play?world=tidebreak");
    await expect.poll(() => countColors(page.getByTestId("viewport"))).toBeGreaterThan(MANY_COLORS);
    await page.keyboard.press("w");
    await page.keyboard.press("a");
    await play.deck.getByRole("button", { name: /^Active/ }).click();
    await page.getByTestId("one-tick").click();
    await play.waitForDecisions(1);
    await page.getByTestId("last-step").getByText("Ahead 65% · Hard left · Active sensors").waitFor();

    // Helm orders stand; the posture was changed once and for all.
    await page.keyboard.press(".");
    await play.waitForDecisions(2);
    await page.getByTestId("last-step").getByText("Ahead 65% · Hard left", { exact: true }).waitFor();

    await page.getByRole("button", { name: "16×" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect.poll(async () => Number(await play.fact("Decisions"))).toBeGreaterThan(12);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    expect(await page.getByTestId("hud").textContent()).toContain("65%");
    expect(await page.getByTestId("viewport").getAttribute("aria-label")).not.toContain("Blue:");

    await admiral.takePicture("tidebreak-play-dark");
    expect(await findBarriers(page)).toEqual([]);
    for (const screen of [TABLET, PHONE]) {
      await page.setViewportSize(screen);
      await expectToFit(page);
      await admiral.takePicture(`tidebreak-play-dark-${screen.width}`);
    }
  });
});
