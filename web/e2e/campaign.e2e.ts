import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { isNight } from "./fixtures/night";
import { DESKTOP, expectToFit, PHONE, TABLET } from "./fixtures/screens";
import { Server } from "./fixtures/server";
import { test } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";

const ROOT = join(inject("scratch"), "campaign", "runs");
const SILENCE = [/ERR_CONNECTION_REFUSED/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/];
const YEAR_IN_LEAPS = 12;

interface Change {
  state: { view: { pending_battle: object | null } };
}

describe("a campaign", () => {
  let server: Server;
  beforeAll(async () => {
    await mkdir(ROOT, { recursive: true });
    server = await Server.start(ROOT);
  });
  afterAll(async () => server.stop());

  test("is begun, played, kept across a restart and fought", async ({ arrive }) => {
    const visitor = await arrive({ server: server.address, ...DESKTOP });
    const { page } = visitor;
    await page.goto("/campaign");
    await page.getByText("No campaign yet").waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByLabel("Seed").fill("1");
    await page.getByLabel("Name").fill("The long year");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.waitForURL(/\/campaign\/[0-9a-f]{12}$/);
    await page.getByRole("button", { name: /^New Providence\s?, hub/ }).waitFor();

    await page.getByRole("button", { name: /^First Accord Fleet of the/ }).click();
    const order = page.getByRole("button", { name: /^Sail to Narrows/ });
    await order.focus();
    await page.keyboard.press("Enter");
    await page.getByText("5 to fleets left").waitFor();

    await page.getByRole("button", { name: "Next day" }).click();
    await day(page, 1).waitFor();
    const days = ["Next day", "5 days", "10 days"].map((name) => page.getByRole("button", { name, exact: true }));
    await look(visitor, "campaign", ...days);

    visitor.expectTrouble(...SILENCE);
    await server.stop();
    server = await Server.start(ROOT, { port: server.port });
    await page.reload();
    await day(page, 1).waitFor();
    await page.getByRole("button", { name: "5 days" }).click();
    await expect.poll(() => page.getByTestId("campaign-day").textContent()).not.toBe("Day 1");
    // The buttons come back when the last of the days is played.
    await page.getByRole("button", { name: "Next day" }).waitFor();

    await playToBattle(server, page.url().split("/").at(-1) ?? "");
    await page.reload();
    await page.getByTestId("battle-briefing").waitFor();
    await look(visitor, "campaign-battle");
    await page.getByRole("button", { name: "Fight it" }).click();
    await page.getByRole("dialog", { name: "The battle is over" }).waitFor();
    await page.getByRole("button", { name: "Back to the map" }).click();
    await page.getByRole("button", { name: "Next day" }).click();
    await page.getByRole("tab", { name: "Battles" }).click();
    await page
      .getByText(/wins? the battle|fight|battle at/)
      .first()
      .waitFor();
  });

  test.runIf(isNight())("looks right in light colors and has no barriers", async ({ arrive }) => {
    const visitor = await arrive({ server: server.address, ...DESKTOP, colorScheme: "light" });
    const { page } = visitor;
    await page.goto("/campaign");
    await page.getByRole("link", { name: "The long year", exact: true }).waitFor();
    await look(visitor, "campaigns");
    await page.getByRole("link", { name: "The long year", exact: true }).click();
    await page.getByTestId("strategic-map").waitFor();
    await look(visitor, "campaign-late");
    for (const tab of ["Fleets", "Factions", "Missions", "Trade"]) {
      await page.getByRole("tab", { name: tab }).click();
      expect(await findBarriers(page)).toEqual([]);
    }
  });

  test("says so when there is none at an address", async ({ arrive }) => {
    const visitor = await arrive({ server: server.address });
    visitor.expectTrouble(/404/);
    await visitor.page.goto("/campaign/000000000000");
    await visitor.page.getByText("No campaign at this address").waitFor();
  });
});

function day(page: Page, number: number) {
  return page.getByTestId("campaign-day").getByText(`Day ${number}`, { exact: true });
}

/** Pictures the page, examines it, and sees to it that it fits smaller screens, with what is named on them. */
async function look(visitor: Visitor, name: string, ...named: Locator[]): Promise<void> {
  const { page } = visitor;
  expect(await findBarriers(page)).toEqual([]);
  await visitor.takePicture(name);
  for (const screen of [TABLET, PHONE]) {
    await page.setViewportSize(screen);
    await expectToFit(page, ...named);
    await visitor.takePicture(`${name}-${screen.width}`);
  }
  await page.setViewportSize(DESKTOP);
}

/** Lets days go by without orders until the others attack. */
async function playToBattle(server: Server, campaign: string): Promise<void> {
  for (let leap = 0; leap < YEAR_IN_LEAPS; leap += 1) {
    const answer = await fetch(new URL(`/api/campaigns/${campaign}/advance`, server.address), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ days: 30 }),
    });
    if (((await answer.json()) as Change).state.view.pending_battle !== null) {
      return;
    }
  }
  throw new Error("no battle came in a year");
}
