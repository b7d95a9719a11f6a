import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject } from "vitest";
import { findBarriers } from "./fixtures/axe";
import { CliProcess } from "./fixtures/cli";
import { DESKTOP, expectToFit, PHONE } from "./fixtures/screens";
import { test as base } from "./fixtures/test";
import type { Visitor } from "./fixtures/visitor";
import { countColors, MANY_COLORS } from "./pages/picture";

const TOKEN = "a-token-for-the-operator";
const SERVICES = `
config_id: live
features: {}
rewards: {}
console_auth:
  enabled: true
  tokens: [{label: mayor, role: admin, token_env: OPERATOR_TOKEN}]
`;

const test = base.extend<{ town: string; operator: Visitor }>({
  town: [
    async ({ browser: _ }, use) => {
      const root = join(inject("scratch"), "live-town");
      mkdirSync(root, { recursive: true });
      writeFileSync(join(root, "town.yaml"), SERVICES);
      const args = ["live", "townlet", "--port", "0", "--root", root, "--config-file", join(root, "town.yaml")];
      const process = new CliProcess(args, { OPERATOR_TOKEN: TOKEN });
      const [, address] = await process.printed(/runs live at (http:\S+)/);
      await use(address ?? "");
      await process.stop();
    },
    { scope: "file" },
  ],
  operator: async ({ arrive, town }, use) => use(await arrive({ server: town, ...DESKTOP })),
});

describe("a live town", () => {
  test("is watched, looked into and commanded", async ({ operator }) => {
    const { page } = operator;
    await page.goto("/");
    await page.waitForURL("**/operate");
    await expect.poll(() => countColors(page.getByTestId("viewport"))).toBeGreaterThan(MANY_COLORS);
    const moment = page.getByTestId("moment");
    const before = await moment.textContent();
    await expect.poll(() => moment.textContent()).not.toBe(before);

    await page.getByRole("button", { name: /^Ada/ }).click();
    await page
      .getByRole("region", { name: "Ada" })
      .getByText(/^Reward/)
      .waitFor();
    await page.getByRole("img", { name: /town around/ }).waitFor();

    await page.getByRole("button", { name: "Operate with a token" }).click();
    await page.getByLabel("Token", { exact: true }).fill(TOKEN);
    await page.getByRole("button", { name: "Use", exact: true }).click();
    await page.getByRole("tab", { name: "Console" }).click();
    await page.getByLabel("Search commands").fill("announce");
    await page.getByRole("button", { name: /^announce_story/ }).click();
    await page.getByLabel("message").fill("The fair comes to town.");
    await page.getByRole("checkbox", { name: "priority" }).check(); // others wait for the stories before them
    await page.getByRole("button", { name: "Give the command" }).click();
    await page.getByTestId("given").getByText("announce_story").waitFor();
    await page.getByTestId("stories").getByText("The fair comes to town.").waitFor();

    await page.getByText("pause", { exact: true }).click();
    await page.getByRole("tab", { name: "Town" }).click();
    for (const title of ["Employment", "Economy", "Perturbations", "Queues", "Relationships", "Coming and going"]) {
      await page.getByRole("region", { name: title }).waitFor();
    }
    await page.getByRole("tab", { name: "System" }).click();
    await page.getByRole("region", { name: "Snapshots" }).waitFor();
    await page.getByRole("tab", { name: "Policy" }).click();
    await page.getByTestId("promotion-state").waitFor();
    const quiet = page.getByRole("region", { name: "Stability" }).getByText("quiet", { exact: true }).first();
    expect(await quiet.evaluate((word) => word.scrollWidth <= word.clientWidth)).toBe(true);
    await page.getByRole("tab", { name: "Citizens" }).click();
    await operator.takePicture("operate-dark");
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await expectToFit(page);
    await operator.takePicture(`operate-dark-${PHONE.width}`);
  });
});
