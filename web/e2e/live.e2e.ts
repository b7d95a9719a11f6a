import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject } from "vitest";
import type { RunRow } from "../src/api/types";
import type { CliProcess } from "./fixtures/cli";
import { LIVE_RUN, trainLive } from "./fixtures/runs";
import { Server } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";
import { StudyPage } from "./pages/study";
import { WatchPage } from "./pages/watch";

interface Training {
  server: Server;
  process: CliProcess;
}

const test = base.extend<{ training: Training; follower: Visitor }>({
  training: async ({ task: _ }, use) => {
    const root = join(inject("scratch"), "live");
    await mkdir(root);
    const server = await Server.start(root);
    const process = trainLive(root);
    await use({ server, process });
    await process.stop();
    await server.stop();
  },
  follower: async ({ arrive, training }, use) => use(await arrive({ server: training.server.address })),
});

describe("a run in training", () => {
  test("grows on the open pages, which are never loaded again", async ({ training, follower: { page } }) => {
    const study = new StudyPage(page);
    await expect.poll(() => windowCount(training.server)).toBeGreaterThan(0);
    await page.goto(`/analytics?runs=${LIVE_RUN}`);
    await study.chart("Return").waitFor();
    await page.evaluate(() => document.body.setAttribute("data-same-page", "yes"));

    const [before] = pointsIn(await study.words("Return"));
    await expect.poll(async () => pointsIn(await study.words("Return"))[0]).toBeGreaterThan((before ?? 0) + 2);
    const panel = await study.openTab("Replays");
    const replays = panel.getByRole("link", { name: /^Watch the replay of window/ });
    await replays.first().waitFor();
    // The table shows a page of them; the note beside its title counts all.
    const note = panel.getByRole("region", { name: "Replays", exact: true }).locator("p").first();
    const counted = async () => Number(await note.textContent());
    const count = await counted();
    expect(count).toBeGreaterThan(0);
    await expect.poll(counted).toBeGreaterThan(count);

    await replays.first().click();
    const watch = new WatchPage(page);
    await watch.readout.waitFor();
    await page.getByTestId("live-badge").getByText("running · live").waitFor();
    const shown = page.url();
    await page.getByRole("switch", { name: "Show each new replay" }).check();
    await page.waitForURL((url) => url.href !== shown);
    await watch.readout.waitFor();

    await training.process.stop();
    await page.getByTestId("live-badge").waitFor({ state: "detached" });
    expect(await page.locator("body[data-same-page=yes]").count()).toBe(1);
  });
});

async function windowCount(server: Server): Promise<number> {
  const { runs } = await server.ask<{ runs: RunRow[] }>("/api/runs");
  return runs[0]?.windows_emitted ?? 0;
}

/** Numbers of points that the words of a chart tell. */
function pointsIn(words: string): number[] {
  return [...words.matchAll(/in (\d+) points/g)].map(([, count]) => Number(count));
}
