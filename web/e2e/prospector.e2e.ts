import type { Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import type { ReplayEntry, SessionState } from "../src/api/types";
import { findBarriers } from "./fixtures/axe";
import { expectToFitOn, PHONE } from "./fixtures/screens";
import { askServer } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import { countColors, MANY_COLORS } from "./pages/picture";
import { PlayPage } from "./pages/play";
import { recordedFrame, WatchPage } from "./pages/watch";

/** In the belt of this seed a cluster lies behind the first way out, and this rock is rich in platinum. */
const SEED = 42;
const [TRAVEL, SELECT_ROCK, MINE_GENTLY, PLATINUM] = [0, 16, 28, 3];
const DIGS = 8;

interface Belt {
  time: number;
  credits: number;
  node: { index: number };
  market: { price: number[] };
  sale_quotes: { commodity: number; revenue: number[] }[];
}

const test = base.extend<{ play: PlayPage; watch: WatchPage; id: string }>({
  play: [async ({ visitor }, use) => use(new PlayPage(visitor.page)), { scope: "file" }],
  watch: [async ({ visitor }, use) => use(new WatchPage(visitor.page)), { scope: "file" }],
  id: [async ({ play }, use) => use(await play.open(`/play?world=prospector&seed=${SEED}`)), { scope: "file" }],
});

const beltOf = ({ render_state }: { render_state: unknown }) => render_state as Belt;

const stateOf = async (server: string, id: string) => askServer<SessionState>(server, `/api/play/session/${id}`);

const memoryOf = (page: Page) => page.getByTestId("market-memory").textContent();

const knownOf = (page: Page) => page.getByTestId("belt-known").textContent();

const priceOf = (page: Page, good: string, figure: string) =>
  page.getByTestId("market").locator(`[data-good="${good}"] [data-figure="${figure}"]`).textContent();

async function decide(play: PlayPage, actions: readonly number[], before: number): Promise<void> {
  for (const [place, action] of actions.entries()) {
    await play.deck.locator(`[data-action="${action}"]`).click();
    await play.waitForDecisions(before + place + 1);
  }
}

describe("a trade", () => {
  test("begins in the dock, where nothing is held and only the places next door are seen", async ({
    play,
    id,
    visitor,
  }) => {
    const { market } = beltOf(await stateOf(visitor.server, id));

    await play.page.getByTestId("market").getByText("Docked: sales pay this now").waitFor();
    expect(await priceOf(play.page, "pge", "price")).toContain(`${Math.round(market.price[PLATINUM] ?? 0)}`);
    expect(await knownOf(play.page)).toBe("1 visited, 5 seen from next door");
    expect(await play.page.getByTestId("market").getByRole("button").count()).toBe(0);
  });

  test("goes on in the field with the market of the last docking in mind", async ({
    play,
    id,
    visitor: { server },
  }) => {
    const docked = beltOf(await stateOf(server, id));

    await decide(play, [TRAVEL, SELECT_ROCK, ...Array.from({ length: DIGS }, () => MINE_GENTLY)], 0);

    const now = beltOf(await stateOf(server, id));
    await expect
      .poll(() => memoryOf(play.page))
      .toBe(`Last docked ${now.time} ticks ago; small figures are from then.`);
    expect(await priceOf(play.page, "pge", "price-then")).toBe(
      `${Math.round(docked.market.price[PLATINUM] ?? 0)} then`,
    );
    expect(await knownOf(play.page)).toMatch(/^2 visited/);
    await play.page.getByTestId("place-facts").getByText("the ship is here").waitFor();
    expect(await play.page.getByTestId("market").getByRole("button").count()).toBe(0);
    await expectToFitOn(PHONE, play.page);
  });

  test("tells in the dock what a sale brings, and pays that", async ({ play, id, visitor: { server } }) => {
    await decide(play, [TRAVEL], DIGS + 2);
    const before = beltOf(await stateOf(server, id));
    const quotes = before.sale_quotes.find(({ commodity }) => commodity === PLATINUM)?.revenue ?? [];
    const shown = play.page.getByTestId("market").locator('[data-good="pge"] [data-quote]');
    await expect
      .poll(() => shown.allTextContents())
      .toEqual(quotes.map((revenue) => Math.round(revenue).toLocaleString("en-US")));
    expect(quotes).toHaveLength(3);
    expect(await findBarriers(play.page)).toEqual([]);

    await play.page.getByRole("button", { name: /^50%.*– sell platinum group/ }).click();
    await play.waitForDecisions(DIGS + 4);

    const { credits } = beltOf(await stateOf(server, id));
    expect(credits - before.credits).toBeCloseTo(quotes[1] ?? Number.NaN, 5);
    await play.page.getByTestId("last-step").getByText("Sell platinum group 50%").waitFor();
  });

  test("is remembered without what was taken back", async ({ play, id, visitor: { server } }) => {
    for (const decisions of [DIGS + 3, DIGS + 2]) {
      await play.undo.click();
      await play.waitForDecisions(decisions);
    }
    const { time } = beltOf(await stateOf(server, id));
    await expect.poll(() => memoryOf(play.page)).toBe(`Last docked ${time} ticks ago; small figures are from then.`);
  });
});

describe("a replay", () => {
  test("knows at any frame what was seen before it, wherever one comes from", async ({
    watch,
    visitor: { server },
  }) => {
    const run = inject("runs").newer;
    const path = `/api/runs/${run}/replays`;
    const { replays } = await askServer<{ replays: ReplayEntry[] }>(server, path);
    const longest = replays.toSorted((one, other) => (other.steps ?? 0) - (one.steps ?? 0))[0];
    const place = { run, replay: longest?.replay_id ?? "" };
    const last = (longest?.steps ?? 0) - 1;
    const middle = Math.floor(last / 2);
    const nodes = new Set([0]);
    for (let frame = 0; frame <= middle; frame += 1) {
      nodes.add(beltOf(await recordedFrame(server, place, frame)).node.index);
    }

    await watch.page.goto(`/watch/${place.run}/${place.replay}`);
    await watch.waitForPicture();
    await watch.jumpTo(last);
    await watch.jumpTo(middle);

    await expect.poll(() => knownOf(watch.page)).toMatch(new RegExp(`^${nodes.size} visited`));
    await expect.poll(() => countColors(watch.page.getByTestId("belt"))).toBeGreaterThan(MANY_COLORS);
    expect(nodes.size).toBeGreaterThan(1);
  });

  test("hands its memory over with the controls", async ({ watch, play }) => {
    const [known, memory] = [await knownOf(watch.page), await memoryOf(watch.page)];

    await watch.page.getByRole("button", { name: "Take over from here" }).click();
    await play.card.waitFor();

    await expect.poll(() => knownOf(play.page)).toBe(known);
    expect(await memoryOf(play.page)).toBe(memory);
  });
});
