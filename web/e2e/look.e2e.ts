import { expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { isNight } from "./fixtures/night";
import { DESKTOP, expectToFit, PHONE, TABLET } from "./fixtures/screens";
import { test } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";
import { PlayPage } from "./pages/play";
import { StudyPage } from "./pages/study";
import { WatchPage } from "./pages/watch";

/** Height of a line of text. */
const READABLE_PX = 20;
const { newer, older } = inject("runs");

interface Stop {
  name: string;
  open: (visitor: Visitor) => Promise<void>;
  /** Whole pages are pictured on smaller screens, too. */
  isPage: boolean;
}

const STOPS: readonly Stop[] = [
  {
    name: "first-page",
    isPage: true,
    open: async ({ page }) => {
      await page.goto("/");
      await page.getByRole("region", { name: "Newest runs" }).locator("tbody tr").first().waitFor();
      await page.getByRole("article", { name: "Prospector" }).waitFor();
    },
  },
  {
    name: "watch",
    isPage: true,
    open: async ({ page }) => {
      await page.goto("/watch");
      const watch = new WatchPage(page);
      await watch.waitForPicture();
      await watch.jumpTo(40);
    },
  },
  {
    name: "play",
    isPage: true,
    open: async ({ page }) => {
      const play = new PlayPage(page);
      await play.open();
      await play.page.keyboard.press("1");
      await play.waitForDecisions(1);
      await page.getByTestId("viewport").locator("canvas").waitFor();
    },
  },
  {
    name: "play-result",
    isPage: true,
    open: async ({ page }) => {
      const play = new PlayPage(page);
      await play.page.keyboard.press("n");
      await play.waitForDecisions(0);
      await play.action("Cash out and stop").click();
      await play.result.getByRole("row", { name: /You/ }).waitFor();
    },
  },
  {
    name: "study",
    isPage: true,
    open: async ({ page }) => {
      await page.goto(`/analytics?runs=${newer},${older}`);
      await new StudyPage(page).chart("Return").waitFor();
    },
  },
  ...["Windows", "Replays", "Configuration", "Record", "Tracker"].map((tab) => ({
    name: `study-${tab.toLowerCase()}`,
    isPage: false,
    open: async ({ page }: Visitor) => {
      const panel = await new StudyPage(page).openTab(tab);
      await panel.getByRole("heading").first().waitFor();
    },
  })),
  {
    name: "study-none-found",
    isPage: false,
    open: async ({ page }) => {
      await new StudyPage(page).search.fill("no such run");
      await page.getByText("No run matches").waitFor();
    },
  },
  {
    name: "wall",
    isPage: true,
    open: async ({ page }) => {
      await page.goto("/wall?world=gameboy");
      await page.getByTestId("wall").waitFor();
      await page.getByTestId("wall-figures").waitFor();
    },
  },
  {
    name: "compare",
    isPage: false,
    open: async ({ page }) => {
      await page.goto("/watch");
      await page.getByTestId("compare").click();
      const choices = page.getByRole("dialog").getByRole("button", { name: /^Window/ });
      await choices.first().waitFor();
      const box = await choices.first().boundingBox();
      expect(box?.height).toBeGreaterThan(READABLE_PX);
    },
  },
  {
    name: "help",
    isPage: false,
    open: async ({ page }) => {
      await page.goto("/watch");
      await new WatchPage(page).waitForPicture();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
  },
];

test.runIf(isNight())(
  "in dark colors every page fits screens from a phone on and has no barriers",
  async ({ arrive }) => {
    const visitor = await arrive({ colorScheme: "dark", ...DESKTOP });
    const barriers: Record<string, string[]> = {};
    for (const { name, open, isPage } of STOPS) {
      await open(visitor);
      barriers[name] = await findBarriers(visitor.page);
      await visitor.takePicture(`${name}-dark`);
      for (const screen of [TABLET, PHONE]) {
        await visitor.page.setViewportSize(screen);
        await expectToFit(visitor.page);
        if (isPage) {
          await visitor.takePicture(`${name}-dark-${screen.width}`);
        }
      }
      await visitor.page.setViewportSize(DESKTOP);
    }

    expect(withSome(barriers)).toEqual([]);
  },
);

/** Colors change no widths, and the parts of a page share its colors. */
test.runIf(isNight())("in light colors every page has no barriers", async ({ arrive }) => {
  const visitor = await arrive({ colorScheme: "light", ...DESKTOP });
  const barriers: Record<string, string[]> = {};
  for (const { name, open } of STOPS.filter(({ isPage }) => isPage)) {
    await open(visitor);
    barriers[name] = await findBarriers(visitor.page);
    await visitor.takePicture(`${name}-light`);
  }

  expect(withSome(barriers)).toEqual([]);
});

function withSome(barriers: Record<string, string[]>): [string, string[]][] {
  return Object.entries(barriers).filter(([, found]) => found.length > 0);
}
