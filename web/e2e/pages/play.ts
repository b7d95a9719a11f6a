import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** What a visitor of Play sees and touches. */
export class PlayPage {
  readonly deck: Locator;
  readonly card: Locator;
  readonly hint: Locator;
  readonly result: Locator;
  readonly undo: Locator;

  constructor(readonly page: Page) {
    this.deck = page.getByTestId("deck");
    this.card = page.getByTestId("session-card");
    this.hint = page.getByRole("region", { name: "Hint" });
    this.result = page.getByRole("dialog", { name: "Result" });
    this.undo = page.getByRole("button", { name: "Undo" });
  }

  /** Opens the page and returns the id of the session that it begins. */
  async open(address = "/play"): Promise<string> {
    const created = this.page.waitForResponse(
      (response) => response.url().endsWith("/api/play/session") && response.request().method() === "POST",
    );
    await this.page.goto(address);
    const { session_id } = (await (await created).json()) as { session_id: string };
    await this.card.waitFor();
    return session_id;
  }

  /** A fact of the session, such as its seed. */
  async fact(name: string): Promise<string> {
    const term = this.page.getByRole("term").filter({ hasText: new RegExp(`^${name}$`) });
    return (await this.card.locator("div", { has: term }).getByRole("definition").textContent()) ?? "";
  }

  async waitForDecisions(count: number): Promise<void> {
    await expect.poll(() => this.fact("Decisions")).toBe(`${count}`);
  }

  action(title: string): Locator {
    return this.deck.getByRole("button", { name: title, exact: true });
  }

  /** Starts another world with the given seed and time budget. */
  async startWorld(seed: number, ticks: number): Promise<void> {
    await this.page.getByRole("button", { name: "Advanced" }).click();
    await this.page.getByLabel("Seed", { exact: true }).fill(`${seed}`);
    await this.page.getByLabel("Time budget").fill(`${ticks}`);
    await this.page.getByRole("button", { name: "Start", exact: true }).click();
    await expect.poll(() => this.fact("Seed")).toBe(`${seed}`);
  }
}
