import { describe, expect, inject } from "vitest";
import type { WorldDescriptor } from "../src/api/types";
import { isNight } from "./fixtures/night";
import { expectToFitOn, PHONE } from "./fixtures/screens";
import { askServer } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import { countColors, MANY_COLORS } from "./pages/picture";
import { PlayPage } from "./pages/play";

/** The server gives up after a quarter of an hour, and the page says so. */
const EXPORT_PATIENCE_MS = 16 * 60_000;
const SLOW = { timeout: EXPORT_PATIENCE_MS + 4 * 60_000 };

const test = base.extend<{ play: PlayPage; world: WorldDescriptor }>({
  play: [
    async ({ visitor }, use) => {
      const play = new PlayPage(visitor.page);
      await play.open();
      await use(play);
    },
    { scope: "file" },
  ],
  world: [
    async ({ visitor }, use) => use(await askServer<WorldDescriptor>(visitor.server, "/api/worlds/prospector")),
    { scope: "file" },
  ],
});

describe("a session", () => {
  test("begins by itself, with every action of the world and a short how-to", async ({ play, world }) => {
    await play.waitForDecisions(0);

    expect(await play.deck.getByRole("button").count()).toBe(world.n_actions);
    await play.page.getByRole("region", { name: "How to play" }).waitFor();
    await expect.poll(() => countColors(play.page.getByTestId("viewport"))).toBeGreaterThan(MANY_COLORS);
    await expectToFitOn(PHONE, play.page);
  });

  test("takes decisions by button and by key", async ({ play }) => {
    await play.action("Listen for threats").click();
    await play.waitForDecisions(1);
    await play.page.getByTestId("last-step").getByText("Listen for threats").waitFor();

    await play.page.keyboard.press("h");

    await play.waitForDecisions(2);
    await play.page.getByTestId("last-step").getByText("Hold and drift").waitFor();
  });

  test("grays what cannot be done now and says why", async ({ play }) => {
    const scan = play.action("Wide scan – no asteroids here");
    expect(await scan.getAttribute("aria-disabled")).toBe("true");

    await scan.hover();
    await play.page.getByRole("tooltip").getByText("Not now: no asteroids here.").waitFor();
    await scan.click({ force: true });
    await play.page.keyboard.press("q");

    await play.page.getByRole("alert").getByText("Not now: no asteroids here.").waitFor();
    await play.waitForDecisions(2);
  });

  test("takes decisions back by button and by key", async ({ play }) => {
    await play.undo.click();
    await play.waitForDecisions(1);

    await play.page.keyboard.press("u");

    await play.waitForDecisions(0);
    expect(await play.undo.isDisabled()).toBe(true);
  });

  test("shows what a trained policy would do", async ({ play }) => {
    const answer = play.page.waitForResponse((response) => response.url().includes("/hint"));
    await play.page.getByRole("combobox", { name: "Policy to ask" }).click();
    await play.page.getByRole("option", { name: inject("runs").newer }).click();
    const { probabilities } = (await (await answer).json()) as { probabilities: number[] };

    const odds = play.page.getByTestId("hint-odds").getByRole("listitem");
    await odds.first().waitFor();
    const percents = (await odds.locator("b").allTextContents()).map((text) => Number.parseInt(text, 10));

    const expected = probabilities.toSorted((a, b) => b - a).slice(0, percents.length);
    expect(percents).toEqual(expected.map((probability) => Math.round(probability * 100)));
    expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 3);
    await play.page.getByText(/^Expected return from here/).waitFor();
  });

  // An export takes ten seconds of a processor, which a busy machine spares it late: it gives way to everything else.
  test.runIf(isNight())("runs that policy in the page, which says the same", SLOW, async ({ play }) => {
    const odds = play.page.getByTestId("hint-odds").getByRole("listitem");
    const told = await odds.allTextContents();

    await play.page.getByRole("switch", { name: "Run it in this page" }).check();
    await play.hint
      .getByTestId("page-policy")
      .or(play.hint.getByRole("alert"))
      .waitFor({ timeout: EXPORT_PATIENCE_MS });

    expect(await play.hint.getByRole("alert").allTextContents()).toEqual([]);

    await expect.poll(() => odds.allTextContents()).toEqual(told);
  });
});

describe("the end of an episode", () => {
  test("comes with cashing out, and shows how others did in the same world", async ({ play }) => {
    await play.action("Cash out and stop").click();
    await play.result.getByRole("row", { name: /You/ }).waitFor();

    const players = await play.result.getByRole("row").locator("td:first-child").allTextContents();

    expect(players.map((player) => player.trim().toLowerCase())).toEqual(
      expect.arrayContaining(["you", "prudent hauler", "random valid", inject("runs").newer]),
    );
    expect(await play.undo.isEnabled()).toBe(true);
    await expectToFitOn(
      PHONE,
      play.page,
      play.result.getByRole("table"),
      ...(await play.result.getByRole("button").all()),
    );
  });

  test("can be taken back", async ({ play }) => {
    await play.result.getByRole("button", { name: "Take back" }).click();

    await play.result.waitFor({ state: "detached" });
    await play.waitForDecisions(0);
  });

  test("is reached by repeating one action until the time is up", async ({ play }) => {
    await play.startWorld(7, 6);
    await play.action("Hold and drift").click();
    await play.waitForDecisions(1);

    await play.page.getByRole("button", { name: "Auto-run" }).click();

    await play.result.getByText("Time up").waitFor();
    expect(await play.fact("Ticks")).toBe("6");
    await play.result.getByRole("button", { name: "Same world again" }).click();
    await play.waitForDecisions(0);
    expect(await play.fact("Seed")).toBe("7");
  });
});

describe("leaving", () => {
  test("ends the session on the server", async ({ play, visitor: { server } }) => {
    const id = await play.open();

    await play.page.getByRole("link", { name: "Diorama, first page" }).click();

    await expect.poll(async () => (await fetch(`${server}/api/play/session/${id}`)).status).toBe(404);
  });
});
