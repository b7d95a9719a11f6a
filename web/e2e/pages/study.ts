import { buffer } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";

/** What a visitor of Study sees and touches. */
export class StudyPage {
  readonly search: Locator;
  readonly rows: Locator;
  readonly chosen: Locator;

  constructor(readonly page: Page) {
    this.search = page.getByRole("searchbox", { name: "Search runs" });
    this.rows = page.getByRole("complementary", { name: "Runs" }).locator("tbody tr");
    this.chosen = page.getByRole("group", { name: "Chosen runs" });
  }

  async choose(run: string): Promise<void> {
    await this.page.getByRole("checkbox", { name: `Show ${run}` }).check();
    await this.chip(run).waitFor();
  }

  chip(run: string): Locator {
    return this.chosen.getByRole("button", { name: run, exact: true });
  }

  async openTab(name: string): Promise<Locator> {
    await this.page.getByRole("tab", { name, exact: true }).click();
    const panel = this.page.getByRole("tabpanel");
    await panel.waitFor();
    return panel;
  }

  chart(title: string): Locator {
    return this.page.getByRole("img", { name: new RegExp(`^${title}: `) });
  }

  /** What a chart shows, in words. */
  async words(title: string): Promise<string> {
    return (await this.chart(title).getAttribute("aria-label")) ?? "";
  }

  /** Chooses from the export menu and returns the file that comes down. */
  async export(item: string): Promise<{ name: string; content: Buffer }> {
    const download = this.page.waitForEvent("download");
    await this.page.getByRole("button", { name: "Export" }).click();
    await this.page.getByRole("menuitem", { name: item }).click();
    const file = await download;
    return { name: file.suggestedFilename(), content: await buffer(await file.createReadStream()) };
  }
}

/** Reads comma-separated values as objects by column. */
export function readCsv(text: string): Record<string, string>[] {
  const [header = "", ...lines] = text.trimEnd().split("\r\n");
  const columns = splitCsvLine(header);
  return lines.map((line) => Object.fromEntries(splitCsvLine(line).map((cell, place) => [columns[place], cell])));
}

function splitCsvLine(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...cells].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}
