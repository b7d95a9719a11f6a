import { describe, expect } from "vitest";
import type { Scoreboard } from "../src/scoreboard/state/calls";
import { findBarriers } from "./fixtures/axe";
import { expectToFitOn, PHONE } from "./fixtures/screens";
import { askServer } from "./fixtures/server";
import { test } from "./fixtures/test";

describe("the scoreboard", () => {
  test("lists scripts, the champion and runs, and fits a phone", async ({ visitor: { page, server } }) => {
    const { rows } = await askServer<Scoreboard>(server, "/api/scoreboard/prospector");
    await page.goto("/scoreboard?world=prospector");
    await page.locator("tbody tr").first().waitFor();

    expect(await page.locator("tbody tr").count()).toBe(rows.length);
    expect(await page.getByText("Champion of Prospector").isVisible()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await expectToFitOn(PHONE, page);
  });

  test("lets those play who have not, and leads to a replay", async ({ visitor: { page } }) => {
    await page.getByRole("button", { name: /^Let \d+ players play$/ }).click();
    const watch = page.getByRole("link", { name: "Watch cash_out" });
    await watch.waitFor();

    await watch.click();

    await page.waitForURL(/\/watch\/scoreboard-prospector\/replay-/);
    await page.goBack();
  });

  test("sorts by the heading that is chosen", async ({ visitor: { page } }) => {
    await page.getByRole("button", { name: "Player" }).click();

    expect(await page.locator("tbody tr").first().textContent()).toContain("amber");
    expect(await page.getByRole("columnheader", { name: "Player" }).getAttribute("aria-sort")).toBe("ascending");
  });
});
