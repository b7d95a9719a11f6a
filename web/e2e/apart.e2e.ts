import { join } from "node:path";
import { describe, expect, inject } from "vitest";
import { CliProcess } from "./fixtures/cli";
import { buildClient, pagePolicy } from "./fixtures/client";
import { isNight } from "./fixtures/night";
import { Server } from "./fixtures/server";
import { StaticHost } from "./fixtures/staticHost";
import { test as base } from "./fixtures/test";
import { PlayPage } from "./pages/play";
import { StudyPage } from "./pages/study";
import { WatchPage } from "./pages/watch";

const CLIENT = join(inject("scratch"), "client-apart");
const RUNS = join(inject("scratch"), "runs");
/** What a browser says of a server that does not let a page in. */
const SHUT_OUT = [/blocked by CORS policy/, /net::ERR_FAILED/];

interface Apart {
  /** Serves the files of the client, and nothing else. */
  host: StaticHost;
  /** Serves the same files, and would answer for itself if it were asked. */
  ours: Server;
  /** Answers, and lets pages of these two in. */
  api: Server;
}

const test = base.extend<{ apart: Apart }>({
  apart: [
    async ({ browser: _ }, use) => {
      const host = await StaticHost.start(CLIENT);
      const ours = await Server.start(RUNS, { environment: { DIORAMA_CLIENT_DIR: CLIENT } });
      const friends = { DIORAMA_CORS_ORIGINS: `${host.address},${ours.address}` };
      const town = new CliProcess(
        ["live", "townlet", "--port", "0", "--root", join(CLIENT, "..", "town-apart")],
        friends,
      );
      const [, live] = await town.printed(/runs live at (http:\S+)/);
      const api = await Server.start(RUNS, { environment: { ...friends, DIORAMA_LIVE_ADDRESS: live ?? "" } });
      await buildClient(api.address, CLIENT);
      host.allow(await pagePolicy(CLIENT, live ?? ""));
      await use({ host, ours, api });
      await Promise.all([api.stop(), ours.stop(), town.stop(), host.stop()]);
    },
    { scope: "file" },
  ],
});

describe.runIf(isNight())("a client on a host of its own", () => {
  test("shows replays, plays, studies and follows a live town of the server elsewhere", async ({ arrive, apart }) => {
    const visitor = await arrive({ server: apart.host.address });
    const { page } = visitor;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const { replays } = await apart.api.ask<{ replays: { replay_id: string }[] }>(
      `/api/runs/${inject("runs").newer}/replays`,
    );

    const watch = new WatchPage(page);
    await page.goto(`/watch/${inject("runs").newer}/${replays[0]?.replay_id}`);
    await watch.waitForPicture();
    expect(asked.filter((url) => url.endsWith("/frames/0/picture"))).toEqual([
      expect.stringContaining(`${apart.api.address}/api/runs/`),
    ]);
    await visitor.takePicture("client-apart");

    const play = new PlayPage(page);
    await play.open();
    await play.action("Hold and drift").click();
    await play.waitForDecisions(1);

    await page.goto("/analytics");
    await new StudyPage(page).chart("Return").waitFor();

    await page.goto("/operate");
    const moment = page.getByTestId("moment");
    const before = await moment.textContent();
    await expect.poll(() => moment.textContent()).not.toBe(before);

    const files = asked.filter((url) => url.startsWith(apart.host.address)).map((url) => new URL(url).pathname);
    expect(files.filter((path) => /^\/(api|ws|health|metrics)\b/.test(path))).toEqual([]);
  });

  test("works as well when our own server serves its files", async ({ arrive, apart }) => {
    const { page } = await arrive({ server: apart.ours.address });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));

    await page.goto("/watch");
    await new WatchPage(page).waitForPicture();

    expect(asked.some((url) => url.startsWith(`${apart.api.address}/api/`))).toBe(true);
    expect(asked.filter((url) => url.startsWith(`${apart.ours.address}/api/`))).toEqual([]);
  });

  test("is shut out where nobody has named its origin, sockets included", async ({ arrive, apart }) => {
    const stranger = apart.host.address.replace("127.0.0.1", "localhost");
    const visitor = await arrive({ server: stranger });
    visitor.expectTrouble(...SHUT_OUT);

    await visitor.page.goto("/analytics");
    await visitor.page.getByRole("alert").first().waitFor();
    const refused = await visitor.page.evaluate(
      (address) =>
        new Promise<string>((resolve) => {
          new WebSocket(address).onmessage = ({ data }) => resolve(String(data));
        }),
      `${apart.api.address.replace("http", "ws")}/ws/runs/${inject("runs").newer}/replays/x/frames`,
    );

    expect(JSON.parse(refused)).toMatchObject({ type: "error", status_code: 403 });
  });
});
