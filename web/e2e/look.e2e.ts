import { expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { isNight } from "./fixtures/night";
import { test } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";
import { PlayPage } from "./pages/play";
import { StudyPage } from "./pages/study";
import { WatchPage } from "./pages/watch";

const TABLET = { width: 768, height: 1024 };
const DESKTOP = { width: 1366, height: 900 };
/** Height of a line of text. */
const READABLE_PX = 20;
const { newer, older } = inject("runs");

interface Stop {
  name: string;
  open: (visitor: Visitor) => Promise<void>;
  /** Whole pages are pictured on a tablet, too. */
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
  "in dark colors every page fits screens from a tablet on and has no barriers",
  async ({ arrive }) => {
    const visitor = await arrive({ colorScheme: "dark", ...DESKTOP });
    const barriers: Record<string, string[]> = {};
    const tooWide: string[] = [];
    for (const { name, open, isPage } of STOPS) {
      await open(visitor);
      barriers[name] = await findBarriers(visitor.page);
      await visitor.takePicture(`${name}-dark`);
      await visitor.page.setViewportSize(TABLET);
      if ((await isScrolledSideways(visitor)) || (await isHeaderCut(visitor))) {
        tooWide.push(name);
      }
      if (isPage) {
        await visitor.takePicture(`${name}-dark-768`);
      }
      await visitor.page.setViewportSize(DESKTOP);
    }

    expect.soft(withSome(barriers)).toEqual([]);
    expect(tooWide).toEqual([]);
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

/** The header stays where it is and does not scroll: what does not fit cannot be reached. */
async function isHeaderCut({ page }: Visitor): Promise<boolean> {
  const box = await page.locator("header button[aria-label='Keyboard shortcuts']").boundingBox();
  return box === null || box.x + box.width > TABLET.width;
}

async function isScrolledSideways({ page }: Visitor): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
