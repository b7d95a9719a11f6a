import { describe, expect } from "vitest";
import type { RunRow } from "../src/api/types";
import { expectToFitOn, PHONE } from "./fixtures/screens";
import { askServer } from "./fixtures/server";
import { test } from "./fixtures/test";

describe("the first page", () => {
  test("shows every installed world with ways into it", async ({ visitor: { page, server } }) => {
    const { worlds } = await askServer<{ worlds: string[] }>(server, "/api/worlds");
    await page.goto("/");

    const cards = page.getByRole("region", { name: "Worlds" }).getByRole("article");
    await cards.first().waitFor();

    expect(await cards.count()).toBe(worlds.length);
    const prospector = page.getByRole("article", { name: "Prospector" });
    await prospector.getByText("2 runs").waitFor();
    expect(await prospector.getByRole("link", { name: "Play", exact: true }).getAttribute("href")).toBe(
      "/play?world=prospector",
    );
  });

  test("lists the newest runs first, with their steps", async ({ visitor: { page, server } }) => {
    const { runs } = await askServer<{ runs: RunRow[] }>(server, "/api/runs");

    const rows = page.getByRole("region", { name: "Newest runs" }).locator("tbody tr");
    await rows.first().waitFor();

    expect(await rows.locator("td:first-child a").allTextContents()).toEqual(runs.map((run) => run.run_id));
    expect(await rows.first().textContent()).toMatch(/completed/i);
    expect(await rows.first().getByTitle("16,384").textContent()).toBe("16.38K");
    await page.goto("/?world=morphogenesis"); // the longest name of a world
    await page.getByRole("article", { name: "Morphogenesis" }).waitFor();
    await expectToFitOn(PHONE, page);
    await page.goto("/");
  });

  test("leads to the best replay", async ({ visitor: { page } }) => {
    await page.getByRole("link", { name: "Watch the best replay" }).click();

    await page.waitForURL(/\/watch\/[^/]+\/replay-/);
  });
});
