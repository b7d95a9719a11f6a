import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Frame } from "../../src/api/types";
import { askServer } from "../fixtures/server";
import { countColors, MANY_COLORS } from "./picture";

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

export interface ReplayPlace {
  run: string;
  replay: string;
}

/** What a visitor of Watch sees and touches. */
export class WatchPage {
  readonly viewport: Locator;
  readonly timeline: Locator;
  readonly readout: Locator;

  constructor(readonly page: Page) {
    this.viewport = page.getByTestId("viewport");
    this.timeline = page.getByRole("slider", { name: "Timeline" });
    this.readout = page.getByTestId("readout");
  }

  async frame(): Promise<number> {
    return Number(await this.timeline.getAttribute("aria-valuenow"));
  }

  async lastFrame(): Promise<number> {
    return Number(await this.timeline.getAttribute("aria-valuemax"));
  }

  /** Simulated time of the frame on screen, in ticks. */
  async time(): Promise<number> {
    return numberOf((await this.readout.locator('[data-field="t"]').textContent()) ?? "");
  }

  /** What the picture shows, in words. */
  async words(place = 0): Promise<string | null> {
    return this.viewport.nth(place).getAttribute("aria-label");
  }

  async timelineBox(): Promise<Box> {
    const box = await this.timeline.boundingBox();
    if (box === null) {
      throw new Error("the timeline has no place on screen");
    }
    return box;
  }

  async waitForFrame(index: number): Promise<void> {
    await expect.poll(() => this.frame()).toBe(index);
    await this.readout.waitFor();
  }

  /** Waits until the first picture is there. */
  async waitForPicture(): Promise<void> {
    await this.readout.waitFor();
    await expect.poll(() => countColors(this.viewport.first())).toBeGreaterThan(MANY_COLORS);
  }

  async jumpTo(index: number): Promise<void> {
    await this.page.getByLabel("Frame", { exact: true }).fill(`${index}`);
    await this.waitForFrame(index);
  }

  /** The replay that the address names. */
  replay(): ReplayPlace {
    const [, run, replay] = new URL(this.page.url()).pathname.match(/^\/watch\/([^/]+)\/([^/]+)$/) ?? [];
    if (run === undefined || replay === undefined) {
      throw new Error(`${this.page.url()} names no replay`);
    }
    return { run, replay };
  }
}

/** One frame as the server has it. */
export async function recordedFrame(server: string, { run, replay }: ReplayPlace, index: number): Promise<Frame> {
  const path = `/api/runs/${run}/replays/${replay}/frames?offset=${index}&limit=1`;
  const { frames } = await askServer<{ frames: Frame[] }>(server, path);
  const [frame] = frames;
  if (frame === undefined) {
    throw new Error(`${replay} has no frame ${index}`);
  }
  return frame;
}

/** Reads a number as people see it: `1,234` is 1234. */
function numberOf(text: string): number {
  return Number(text.replaceAll(",", "").replace("−", "-"));
}
