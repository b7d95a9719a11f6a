import { describe, expect, inject } from "vitest";
import type { BestReplay, ReplayEntry } from "../src/api/types";
import { formatNumber } from "../src/shared/format";
import { expectToFitOn, PHONE } from "./fixtures/screens";
import { askServer } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import { countColors, MANY_COLORS } from "./pages/picture";
import { recordedFrame, WatchPage } from "./pages/watch";

const { newer, older } = inject("runs");

const test = base.extend<{ watch: WatchPage }>({
  watch: [async ({ visitor }, use) => use(new WatchPage(visitor.page)), { scope: "file" }],
});

describe("a replay", () => {
  test("opens by itself, the best one at its first frame", async ({ watch, visitor: { server } }) => {
    const { replays } = await askServer<{ replays: BestReplay[] }>(server, "/api/best-replays?world=prospector");
    await watch.page.goto("/watch");
    await watch.waitForPicture();

    expect(watch.replay()).toEqual({ run: replays[0]?.run_id, replay: replays[0]?.replay.replay_id });
    expect(await watch.frame()).toBe(0);
    expect(await watch.time()).toBe((await recordedFrame(server, watch.replay(), 0)).t);
    expect(await watch.words()).toContain("The ship is at");
    await expectToFitOn(PHONE, watch.page);
  });

  test("plays until it is paused", async ({ watch }) => {
    await watch.page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(() => watch.frame()).toBeGreaterThan(3);

    await watch.page.getByRole("button", { name: "Pause" }).click();
    await watch.page.getByRole("button", { name: "Play", exact: true }).waitFor();
    const paused = await watch.frame();

    await watch.page.getByRole("button", { name: /^One step on/ }).click();
    await watch.waitForFrame(paused + 1);
  });

  test("follows the pointer along the timeline", async ({ watch, visitor: { server } }) => {
    const { x, y, width, height } = await watch.timelineBox();
    const last = await watch.lastFrame();
    const at = (share: number) => [x + width * share, y + height / 2] as const;

    await watch.page.mouse.move(...at(0.25));
    await watch.page.mouse.down();
    await watch.waitForFrame(Math.round(last * 0.25));
    await watch.page.mouse.move(...at(0.75), { steps: 5 });
    await watch.page.mouse.up();

    const target = Math.round(last * 0.75);
    await watch.waitForFrame(target);
    expect(await watch.time()).toBe((await recordedFrame(server, watch.replay(), target)).t);
  });

  test("moves by keyboard on the timeline and anywhere on the page", async ({ watch }) => {
    const last = await watch.lastFrame();

    await watch.timeline.focus();
    for (const [key, frame] of [
      ["Home", 0],
      ["ArrowRight", 1],
      ["PageDown", 51],
      ["ArrowLeft", 50],
      ["PageUp", 0],
      ["End", last],
    ] as const) {
      await watch.page.keyboard.press(key);
      await watch.waitForFrame(frame);
    }
    await watch.timeline.blur();
    await watch.page.keyboard.press("Shift+ArrowLeft");
    await watch.waitForFrame(last - 50);
  });

  test("jumps to a frame by its number and stays inside its bounds", async ({ watch, visitor: { server } }) => {
    await watch.jumpTo(42);
    expect(await watch.time()).toBe((await recordedFrame(server, watch.replay(), 42)).t);

    await watch.page.getByLabel("Frame", { exact: true }).fill("99999");
    await watch.page.keyboard.press("Enter");

    expect(await watch.frame()).toBeLessThanOrEqual(await watch.lastFrame());
  });

  test("is the same over HTTP and over WebSocket", async ({ watch }) => {
    const { page } = watch;
    await watch.jumpTo(60);
    await page.getByRole("button", { name: "Advanced" }).click();
    const raw = page.getByLabel("Raw frame");
    const [overHttp, words] = [await raw.inputValue(), await watch.words()];

    const opening = page.waitForEvent("websocket");
    await page.getByText("WebSocket", { exact: true }).click();
    const socket = await opening;

    expect(socket.url()).toContain(watch.replay().replay);
    expect(JSON.parse(overHttp)).toMatchObject({ frame_index: 60 });
    await expect.poll(() => raw.inputValue()).toBe(overHttp);
    expect(await watch.words()).toBe(words);
    await page.keyboard.press("Escape");
  });

  test("is restored by its address, animations and all", async ({ watch, arrive }) => {
    await watch.jumpTo(77);
    const [time, words] = [await watch.time(), await watch.words()];
    await watch.page.waitForURL((url) => url.searchParams.get("t") === `${time}`);

    const { page } = await arrive({ motion: "no-preference" });
    await page.goto(watch.page.url());
    const restored = new WatchPage(page);

    await restored.waitForFrame(77);
    expect(await restored.time()).toBe(time);
    expect(await restored.words()).toBe(words);
    await page.keyboard.press("Space");
    await expect.poll(() => restored.frame()).toBeGreaterThan(78);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  });

  test("can be exchanged for another replay and another run", async ({ watch }) => {
    // The champion, which opened first, has one replay.
    await watch.page.goto(`/watch/${newer}`);
    await watch.waitForPicture();
    const { page } = watch;

    await page.getByTestId("replay-picker").click();
    await page.getByRole("option", { name: /^Window 1 / }).click();
    await page.waitForURL(new RegExp(`/watch/${newer}/replay-000001-`));
    await page.getByTestId("run-picker").click();
    await page.getByRole("option", { name: older }).click();
    await page.waitForURL(new RegExp(`/watch/${older}/replay-000003-`));
    await watch.waitForFrame(0);

    await page.goBack();
    await page.waitForURL(new RegExp(`/watch/${newer}/`));
  });

  test("leads to the study of its run", async ({ watch: { page } }) => {
    await page.goto(`/watch/${older}`);
    await page.getByRole("link", { name: "Study this run" }).click();

    const chosen = page.getByRole("group", { name: "Chosen runs" });
    await chosen.getByRole("button").first().waitFor();
    expect(await chosen.getByRole("button", { name: older, exact: true }).count()).toBe(1);
  });
});

describe("comparing", () => {
  test("shows two replays of the same seed side by side in lock step", async ({ watch, visitor: { server } }) => {
    const { page } = watch;
    const { replays } = await askServer<{ replays: ReplayEntry[] }>(server, `/api/runs/${older}/replays`);
    await page.goto(`/watch/${newer}`);
    await watch.readout.waitFor();
    await page.getByRole("button", { name: "Compare" }).click();
    const dialog = page.getByRole("dialog", { name: "Compare with another replay" });
    await dialog.getByLabel("Run").click();
    await page.getByRole("option", { name: older }).click();
    await dialog.getByRole("button", { name: `return ${formatNumber(replays[0]?.return_total)} ·` }).click();

    await page.waitForURL(new RegExp(`with=${older}/${replays[0]?.replay_id}`));
    await expect.poll(() => watch.viewport.count()).toBe(2);
    await watch.jumpTo(25);
    // The same bot in the same world does the same.
    await expect.poll(() => watch.words(1)).toBe(await watch.words(0));
    await expect.poll(() => countColors(watch.viewport.nth(1))).toBeGreaterThan(MANY_COLORS);
    const scores = await page.getByTestId("compare-score").getByRole("definition").allTextContents();
    // Rewards and net profit are amounts, survival is a share.
    expect(scores.map((score) => score.split(" · ").at(-1))).toEqual(["0", "0", "0 points"]);

    await page.getByRole("button", { name: "End comparison" }).click();
    await expect.poll(() => watch.viewport.count()).toBe(1);
    await watch.waitForFrame(25);
  });
});

describe("taking over", () => {
  test("continues the replay in Play at the moment on screen", async ({ watch }) => {
    const { page } = watch;
    await watch.jumpTo(30);
    const [time, words] = [await watch.time(), await watch.words()];

    await page.getByRole("button", { name: "Take over from here" }).click();

    await page.waitForURL(/\/play\?session=/);
    const card = page.getByTestId("session-card");
    await card.getByText("after frame 30").waitFor();
    expect(
      await card
        .locator("div", { has: page.getByText("Ticks") })
        .locator("dd")
        .textContent(),
    ).toBe(`${time}`);
    expect(await page.getByTestId("viewport").getAttribute("aria-label")).toBe(words);
  });
});
