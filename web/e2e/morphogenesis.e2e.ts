import { join } from "node:path";
import { describe, expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { GROWTH_RUN, recordGrowth } from "./fixtures/runs";
import { expectToFit, PHONE, TABLET } from "./fixtures/screens";
import { Server } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";
import { PlayPage } from "./pages/play";
import { WatchPage } from "./pages/watch";

const DESKTOP = { width: 1280, height: 900 };
/** The step that made the first seed permanent, and the one before it leaves training. */
const PERMANENT = 13;
const TRAINED = 7;

const test = base.extend<{ nursery: Server; gardener: Visitor }>({
  nursery: [
    async ({ browser: _ }, use) => {
      const root = join(inject("scratch"), "growth");
      await recordGrowth(root);
      const server = await Server.start(root);
      await use(server);
      await server.stop();
    },
    { scope: "file" },
  ],
  gardener: async ({ arrive, nursery }, use) => use(await arrive({ server: nursery.address, ...DESKTOP })),
});

describe("a network that grows", () => {
  test("can be watched, looked into, and taken over by somebody who decides head by head", async ({ gardener }) => {
    const { page } = gardener;
    const watch = new WatchPage(page);
    await page.goto(`/watch/${GROWTH_RUN}`);
    await watch.waitForPicture();
    await watch.jumpTo(PERMANENT);
    expect(await watch.words()).toMatch(/^Epoch 15 of 20: .* r0c0 Light convolution permanent, contribution /);
    expect(await watch.readout.textContent()).toContain("Make permanent · r0c0");

    await page.getByTestId("subjects").getByRole("button", { name: "r0c1" }).click();
    await page.getByTestId("hud").getByText("Heavy convolution").waitFor();
    await page.getByTestId("event-log").getByText("Light convolution in r0c0 became permanent").waitFor();
    const accuracy = await watch.viewport.screenshot();
    await page.getByTestId("tool-chart").click();
    await page.getByRole("menuitem", { name: "Loss" }).click();
    await expect.poll(async () => (await watch.viewport.screenshot()).equals(accuracy)).toBe(false);
    await gardener.takePicture("morphogenesis-watch-dark");
    expect(await findBarriers(page)).toEqual([]);

    await watch.jumpTo(TRAINED);
    await page.getByRole("button", { name: "Take over from here" }).click();
    const play = new PlayPage(page);
    await play.card.waitFor();
    const before = Number(await play.fact("Decisions"));
    expect(await play.deck.getByRole("region").count()).toBe(1);

    await page.keyboard.press("a");
    await play.deck.getByRole("region", { name: "Slot" }).waitFor();
    expect(await play.deck.getByRole("region").count()).toBe(2);
    expect(await play.deck.getByRole("button", { name: /^r0c1/ }).textContent()).toContain("the slot is empty");
    await page.keyboard.press("Space");
    await play.waitForDecisions(before + 1);
    await page.getByTestId("last-step").getByText("Next stage · r0c0").waitFor();
    expect(await watch.words()).toMatch(/r0c0 Light convolution blending \d+%/);

    await page.keyboard.press("u");
    await play.waitForDecisions(before);
    await page.getByTestId("suggestions").getByRole("button", { name: "Next stage: r0c0" }).click();
    await play.waitForDecisions(before + 1);

    await page.keyboard.press("g");
    await play.deck.getByRole("region", { name: "Blueprint" }).waitFor();
    expect(await play.deck.getByRole("region").count()).toBe(6);
    await page.setViewportSize(TABLET);
    await page.emulateMedia({ colorScheme: "light" });
    await gardener.takePicture("morphogenesis-play-light-768");
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await expectToFit(page);
    await gardener.takePicture(`morphogenesis-play-light-${PHONE.width}`);
  });
});
