import { describe, expect, inject } from "vitest";
import type { WindowRow } from "../src/api/types";
import { expectToFitOn, PHONE } from "./fixtures/screens";
import { askServer } from "./fixtures/server";
import { test as base } from "./fixtures/test";
import { countColors, countColorsOfPng, MANY_COLORS } from "./pages/picture";
import { readCsv, StudyPage } from "./pages/study";

const { newer, older } = inject("runs");
const PNG_SIGNATURE = "89504e470d0a1a0a";

const test = base.extend<{ study: StudyPage }>({
  study: [
    async ({ visitor }, use) => {
      await visitor.page.goto("/analytics");
      const study = new StudyPage(visitor.page);
      await study.chip(newer).waitFor();
      await use(study);
    },
    { scope: "file" },
  ],
});

describe("the runs", () => {
  test("are found by name, and nothing found can be undone", async ({ study }) => {
    await study.page.keyboard.press("/");
    await study.page.keyboard.type(older);
    await expect.poll(() => study.rows.count()).toBe(1);

    await study.search.fill("no such run");
    await study.page.getByRole("button", { name: "Clear the filters" }).click();

    await expect.poll(() => study.rows.count()).toBe(2);
  });

  test("are laid over each other in every chart", async ({ study }) => {
    await study.choose(older);

    expect(new URL(study.page.url()).searchParams.get("runs")).toBe(`${newer},${older}`);
    await expect.poll(() => study.words("Return")).toMatch(new RegExp(`${newer} goes from .*${older} goes from`));
    expect(await countColors(study.chart("Return"))).toBeGreaterThan(MANY_COLORS);
    await expectToFitOn(PHONE, study.page);
  });

  test("are smoothed as much as the slider says", async ({ study }) => {
    const rough = await study.words("Return");

    await study.page.getByRole("slider", { name: "Smoothing" }).focus();
    await study.page.keyboard.press("End");

    await study.page.waitForURL((url) => url.searchParams.get("smooth") === "0.98");
    await expect.poll(() => study.words("Return")).not.toBe(rough);
    await study.page.keyboard.press("Home");
    await expect.poll(() => study.words("Return")).toBe(rough);
  });
});

describe("exports", () => {
  test("hold every window of the chosen runs as CSV", async ({ study, visitor: { server } }) => {
    await study.choose(older);
    const file = await study.export("Windows as CSV");
    const rows = readCsv(file.content.toString("utf8"));

    const answers = await Promise.all([newer, older].map((run) => windowsOf(server, run)));
    expect(file.name).toBe(`${newer}_${older}-windows.csv`);
    expect(rows.map(({ run_id, window_id, return_mean }) => ({ run_id, window_id, return_mean }))).toEqual(
      answers.flat().map((window) => ({
        run_id: window.run_id,
        window_id: `${window.window_id}`,
        return_mean: `${window.return_mean ?? ""}`,
      })),
    );
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(Object.keys(answers[0]?.[0] ?? {}).sort());
  });

  test("are pictures of the curves as PNG", async ({ study }) => {
    await study.choose(older);
    const { name, content } = await study.export("Curves as PNG");

    expect(name).toBe(`${newer}_${older}-curves.png`);
    expect(content.subarray(0, 8).toString("hex")).toBe(PNG_SIGNATURE);
    expect(await countColorsOfPng(study.chart("Return"), content)).toBeGreaterThan(MANY_COLORS);
  });
});

describe("the parts of the study", () => {
  test("compare configurations", async ({ study }) => {
    await study.choose(older);
    const panel = await study.openTab("Configuration");

    const seeds = panel.getByRole("row").filter({ has: study.page.getByText("seed", { exact: true }) });
    await seeds.first().waitFor();
    const settings = await panel.locator("tbody tr td:first-child").allTextContents();
    expect(await seeds.first().textContent()).toMatch(/seed\s*[34]\s*[34]/);
    expect(settings).not.toContain("copies");

    await panel.getByRole("switch", { name: "Only differences" }).uncheck();
    await panel.getByText("copies", { exact: true }).waitFor();
  });

  test("show windows, phases and ends", async ({ study }) => {
    const panel = await study.openTab("Windows");

    await panel.getByRole("heading", { name: "Last ten windows" }).waitFor();
    expect(await panel.locator("tbody").first().getByRole("row").count()).toBe(4);
    await panel
      .getByRole("img", { name: /^World [\d.]+%/ })
      .first()
      .waitFor();
  });

  test("lead from a replay to Watch", async ({ study }) => {
    const panel = await study.openTab("Replays");

    const links = panel.getByRole("link", { name: /^Watch the replay of window/ });
    await links.first().waitFor();
    expect(await links.count()).toBe(3);
    expect(await links.first().getAttribute("href")).toMatch(new RegExp(`^/watch/${newer}/replay-`));
  });

  test("say how complete the record is and where it lies", async ({ study }) => {
    const panel = await study.openTab("Record");

    const windows = panel.getByRole("row").filter({ hasText: "metrics/windows.jsonl" });
    await windows.first().waitFor();
    expect(await windows.first().textContent()).toContain("Complete");
    await panel.getByText(newer).first().waitFor();
  });

  test("tell that no tracker is set up", async ({ study }) => {
    const panel = await study.openTab("Tracker");

    await panel
      .getByText(/WANDB_API_KEY|not configured|no credentials/i)
      .first()
      .waitFor();
  });

  test("are restored by the address", async ({ study, arrive }) => {
    await study.choose(older);
    await study.openTab("Record");
    const { page } = await arrive();

    await page.goto(study.page.url());

    await page.getByRole("tab", { name: "Record", selected: true }).waitFor();
    await new StudyPage(page).chip(older).waitFor();
  });
});

async function windowsOf(server: string, run: string): Promise<WindowRow[]> {
  const { windows } = await askServer<{ windows: WindowRow[] }>(server, `/api/runs/${run}/metrics/windows?order=asc`);
  return windows;
}
