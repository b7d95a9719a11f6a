// Opens a live world in several pages of a real browser and prints, as JSON, when each update was on the screen.
//
//   node benchmarks/spectators.mjs PAGE CHROMIUM PAGES SECONDS
//
// An update is on the screen when the page has written its tick and the browser has shown a frame with it. Of every
// page the answer has a list of [tick, received, shown], in milliseconds since 1970. Measuring begins a while after all
// pages show ticks, and a line "ready" on the standard error says so.
import { createRequire } from "node:module";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [address, executablePath, pages, seconds] = process.argv.slice(2);
const TIMEOUT_MS = 120_000;
const WARM_UP_TICKS = 10;
const SETTLE_MS = 5000;

function watchTicks() {
  const now = () => performance.timeOrigin + performance.now();
  const received = new Map();
  window.__shown = [];
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(...values) {
      super(...values);
      // Before the page's own handler, so that reading the message counts.
      this.addEventListener("message", ({ data }) => {
        const at = now();
        const tick = /"tick":(\d+)/.exec(data.slice(0, 400));
        if (tick !== null && !received.has(Number(tick[1]))) received.set(Number(tick[1]), at);
      });
    }
  };
  let last = -1;
  const note = (target) => {
    const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
    const told = /^tick (\d+)$/.exec(element?.textContent?.trim() ?? "");
    if (told === null || Number(told[1]) === last) return;
    const tick = Number(told[1]);
    last = tick;
    // The callback after the next one runs once the frame with this text has been handed to the screen.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => window.__shown.push([tick, received.get(tick) ?? null, now()])),
    );
  };
  new MutationObserver((records) => {
    for (const { target } of records) note(target);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

async function open(context) {
  const page = await context.newPage();
  await page.addInitScript(watchTicks);
  await page.goto(address, { waitUntil: "commit", timeout: TIMEOUT_MS });
  await page.waitForFunction((ticks) => window.__shown.length >= ticks, WARM_UP_TICKS, {
    timeout: TIMEOUT_MS,
    polling: 200,
  });
  return page;
}

// Pages are put together by the processor, as browsers do without a card; through the library that draws pictures in
// place of one every letter would take ten times as long.
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"],
});
const opened = [];
for (let place = 0; place < Number(pages); place += 1) {
  // Each in a window of its own: what lies behind something else is hardly drawn.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  // The first visit finds out what draws here; the second knows.
  await (await open(context)).close();
  opened.push(await open(context));
}
// The last of them has only just begun.
await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
console.error("ready");
for (const page of opened) await page.evaluate(() => window.__shown.splice(0));
await new Promise((resolve) => setTimeout(resolve, 1000 * Number(seconds)));
const shown = [];
for (const page of opened) shown.push(await page.evaluate(() => window.__shown));
await browser.close();
console.log(JSON.stringify(shown));
