import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { test } from "./fixtures/test";

describe("the keyboard alone", () => {
  test("walks through the header and opens every page", async ({ visitor: { page } }) => {
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();

    const names: string[] = [];
    for (let stop = 0; stop < 11; stop += 1) {
      await page.keyboard.press("Tab");
      names.push(await focusedName(page));
    }

    expect(names).toEqual([
      "Skip to the content",
      "Diorama, first page",
      "Watch",
      "Play",
      "Campaign",
      "Study",
      "Operate",
      "Scoreboard",
      "World",
      "Colors follow the system. Switch to dark",
      "Keyboard shortcuts",
    ]);
    for (const [name, address] of [
      ["Study", "/analytics"],
      ["Operate", "/operate"],
      ["Scoreboard", "/scoreboard"],
      ["Watch", "/watch/"],
      ["Play", "/play"],
    ] as const) {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname.startsWith(address));
      await page.locator("nav a[aria-current=page]", { hasText: name }).waitFor();
      await expect.poll(() => page.title()).toBe(`${name} · Diorama`);
    }
  });

  test("skips to the content and shows where it is", async ({ visitor: { page } }) => {
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the content" });
    expect(await skip.isVisible()).toBe(true);

    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");

    expect(await focusedName(page)).toBe("Watch the best replay");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(outline).not.toBe("none");
  });

  test("opens the help, which lists the keys of the page, and closes it", async ({ visitor: { page } }) => {
    await page.keyboard.press("Alt+6");
    await page.waitForURL(/\/operate/);
    await page.keyboard.press("Alt+5");
    await page.waitForURL(/\/analytics/);
    await page.getByRole("searchbox", { name: "Search runs" }).waitFor();

    await page.keyboard.press("?");

    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Search the runs").waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
  });

  test("is seen in fields, and skips the list of runs", async ({ visitor: { page } }) => {
    await page.goto("/analytics");
    const search = page.getByRole("searchbox", { name: "Search runs" });
    await search.focus();
    expect(await search.evaluate((field) => getComputedStyle(field).outlineStyle)).toBe("solid");

    await page.getByRole("link", { name: "Skip the list of runs" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");

    const chosen = page.getByRole("group", { name: "Chosen runs" }).getByRole("button").first();
    expect(await chosen.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test("changes the colors, which stay", async ({ visitor: { page } }) => {
    const toggle = page.getByRole("button", { name: /Switch to/ });
    await toggle.focus();
    for (const scheme of ["dark", "light"]) {
      await page.keyboard.press("Enter");
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    }

    await page.reload();

    await page.locator("html[data-mantine-color-scheme=light]").waitFor();
  });
});

/** What a screen reader would call the focused element. */
async function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
  });
}
