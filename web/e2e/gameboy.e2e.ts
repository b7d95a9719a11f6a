import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { isNight } from "./fixtures/night";
import { MAZE_RUN, recordMaze } from "./fixtures/runs";
import { DESKTOP, expectToFit, PHONE } from "./fixtures/screens";
import { Server } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import { WatchPage } from "./pages/watch";

const test = base.extend<{ arcade: Server }>({
  arcade: [
    async ({ browser: _ }, use) => {
      const root = join(inject("scratch"), "arcade");
      const roms = join(root, "roms");
      await mkdir(roms, { recursive: true });
      await writeFile(join(roms, "no cartridge.gb"), "far too short");
      await recordMaze(join(root, "runs"));
      const server = await Server.start(join(root, "runs"), { environment: { DIORAMA_ROMS_ROOT: roms } });
      await use(server);
      await server.stop();
    },
    { scope: "file" },
  ],
});

describe("a console", () => {
  test("is played, stopped, looked into, saved and loaded", async ({ arrive, arcade }) => {
    const visitor = await arrive({ server: arcade.address, ...DESKTOP });
    const { page } = visitor;
    await page.goto("/play?world=gameboy");
    await expect(page.getByRole("button", { name: /^no cartridge/ }).isDisabled()).resolves.toBe(true);
    await page.getByRole("button", { name: /^CATCH/ }).click();
    await expect.poll(() => frameCount(page)).toBeGreaterThan(20);

    await page.keyboard.down("ArrowRight");
    await expect.poll(() => heldKeys(page)).toEqual(["Right"]);
    await page.keyboard.up("ArrowRight");
    await expect.poll(() => heldKeys(page)).toEqual([]);

    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    await page.getByRole("button", { name: "Inspect" }).click();
    await page.getByTestId("console-code").locator("[aria-current]").waitFor();
    const stopped = await settledFrame(page);
    await page.keyboard.press(".");
    await expect.poll(() => frameCount(page)).toBe(stopped + 1);
    await page.getByRole("tab", { name: "Tiles" }).click();
    await page.getByRole("img", { name: "Tiles in video memory" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await visitor.takePicture("gameboy-play-dark");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "States and pictures" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Save state" }).click();
    const saved = join(inject("scratch"), "saved.gbst");
    await (await download).saveAs(saved);
    await page.getByTestId("console-clock").click();
    await expect.poll(() => frameCount(page)).toBeGreaterThan(stopped + 20);
    await page.getByTestId("console-clock").click();
    await load(page, saved);
    await expect.poll(() => frameCount(page)).toBe(stopped + 1);

    visitor.expectTrouble(/422/);
    const wrong = join(inject("scratch"), "wrong.gbst");
    await writeFile(wrong, "this is no state of a console");
    await load(page, wrong);
    await page.getByText(/savestates begin with/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test("has keys for fingers on a phone", async ({ arrive, arcade }) => {
    const visitor = await arrive({ server: arcade.address, colorScheme: "light", ...PHONE });
    const { page } = visitor;
    await page.goto("/play?world=gameboy&rom=KEYDOOR");
    await expect.poll(() => frameCount(page)).toBeGreaterThan(20);
    const box = await page.getByRole("group", { name: "Directions" }).boundingBox();
    expect(box).not.toBeNull();
    await page.mouse.move((box?.x ?? 0) + 130, (box?.y ?? 0) + 72);
    await page.mouse.down();
    await expect.poll(() => heldKeys(page)).toEqual(["Right"]);
    await page.mouse.up();
    await expect.poll(() => heldKeys(page)).toEqual([]);
    await expectToFit(page);
    expect(await findBarriers(page)).toEqual([]);
    await visitor.takePicture(`gameboy-play-light-${PHONE.width}`);
  });

  test("can be watched with the keys that were pressed", async ({ arrive, arcade }) => {
    const visitor = await arrive({ server: arcade.address, ...DESKTOP });
    const { page } = visitor;
    const watch = new WatchPage(page);
    await page.goto(`/watch/${MAZE_RUN}`);
    await watch.waitForPicture();
    await watch.jumpTo(3);
    expect(await watch.words()).toMatch(/^Screen of GRID_GOAL, reach a picture, frame \d+/);
    await expect.poll(() => page.locator("kbd[data-pressed=true]").allTextContents()).toEqual(["→"]);
    expect(await findBarriers(page)).toEqual([]);
    await visitor.takePicture("gameboy-watch-dark");
  });

  test.runIf(isNight())("hangs many times on a wall", async ({ arrive, arcade }) => {
    const visitor = await arrive({ server: arcade.address, ...DESKTOP });
    const { page } = visitor;
    await page.goto("/wall?world=gameboy&copies=16&rate=10");
    const wall = page.getByTestId("wall");
    await wall.waitFor();
    await expect.poll(() => page.getByTestId("wall-figures").textContent()).toMatch(/Decisions[1-9]/);
    await wall.click({ position: { x: 30, y: 30 } });
    await page.getByLabel(/^Screen of GRID_GOAL/).waitFor();
    expect(await page.getByLabel("Number of the copy").inputValue()).toBe("0");
    expect(await findBarriers(page)).toEqual([]);
    await visitor.takePicture("gameboy-wall-dark");
  });
});

async function frameCount(page: Page): Promise<number> {
  const words = (await page.getByTestId("console-frame").textContent()) ?? "";
  return Number(/frame ([\d,]+)/.exec(words)?.[1]?.replaceAll(",", "") ?? "0");
}

/** Returns the frame at which a console that was stopped stands. */
async function settledFrame(page: Page): Promise<number> {
  let last = -1;
  await expect
    .poll(
      async () => {
        const now = await frameCount(page);
        const isSettled = now === last;
        last = now;
        return isSettled;
      },
      { interval: 600 },
    )
    .toBe(true);
  return last;
}

function heldKeys(page: Page): Promise<string[]> {
  return page.getByTestId("console-keys").locator("[data-held=true] dt").allTextContents();
}

async function load(page: Page, path: string): Promise<void> {
  await page.getByRole("button", { name: "States and pictures" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Load state" }).click();
  await (await chooser).setFiles(path);
}
