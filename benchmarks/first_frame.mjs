// Opens a replay several times in a real browser and prints, as JSON, when its first picture was on the screen.
//
//   node benchmarks/first_frame.mjs PAGE OTHER CHROMIUM REPEATS SCREENSHOT
//
// A picture is there when the page has drawn into its canvas with the frame's numbers beside it and the browser has
// shown what was drawn. The first load of a fresh browser fills the HTTP cache and is told apart from loads in new tabs
// of the same browser. After each load the page goes on to OTHER, the path of a second replay, without loading anew.
import { createRequire } from "node:module";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [address, other, executablePath, repeats, screenshot] = process.argv.slice(2);
const TIMEOUT_MS = 60_000;

function watchPictures() {
  const lastPart = (path) => decodeURIComponent(path.split("/").pop());
  const isTold = (id) =>
    document.querySelector('[data-testid="readout"]') !== null &&
    document.querySelector('[data-testid="replay-card"]')?.textContent.includes(id) === true;
  window.__expect = (id, sinceMs) => {
    window.__picture = { id, sinceMs, drawnMs: null, shownMs: null };
  };
  window.__expect(lastPart(location.pathname), 0);
  window.__longTasksMs = 0;
  // The picture the server draws, which stands in until the client has drawn its own.
  const isCover = (node) => node.id === "first-picture";
  new MutationObserver((records) => {
    for (const cover of records.flatMap(({ addedNodes }) => [...addedNodes]).filter(isCover)) {
      cover.addEventListener("load", () =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            window.__coverMs = performance.now();
          }),
        ),
      );
    }
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    if (window.__picture.drawnMs === null) for (const task of list.getEntries()) window.__longTasksMs += task.duration;
  }).observe({ type: "longtask", buffered: true });
  const note = () => {
    const picture = window.__picture;
    if (picture.drawnMs !== null || !isTold(picture.id)) return;
    picture.drawnMs = performance.now() - picture.sinceMs;
    // The callback after the next one runs once the frame of this drawing has been handed to the screen.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        picture.shownMs = performance.now() - picture.sinceMs;
      }),
    );
  };
  for (const context of [WebGLRenderingContext, WebGL2RenderingContext]) {
    for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
      const draw = context.prototype[name];
      if (draw === undefined) continue;
      context.prototype[name] = function (...values) {
        note();
        return draw.apply(this, values);
      };
    }
  }
}

function timesOfLoad() {
  const { drawnMs, shownMs } = window.__picture;
  const [navigation] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const resources = performance.getEntriesByType("resource").filter((entry) => entry.startTime < drawnMs);
  const lastOf = (pattern) =>
    Math.max(0, ...resources.filter((entry) => pattern.test(entry.name)).map((entry) => entry.responseEnd));
  return {
    coverMs: window.__coverMs ?? null,
    drawnMs,
    shownMs,
    answeredMs: navigation.responseStart,
    contentfulPaintMs: paint?.startTime ?? null,
    scriptsMs: lastOf(/\.js$/),
    apiMs: lastOf(/\/api\//),
    assetsMs: lastOf(/\/assets\/.*\.(svg|png|webp|json)$/),
    requests: resources.length,
    longTasksMs: window.__longTasksMs,
  };
}

const isShown = () => window.__picture?.shownMs;

async function load(context, path) {
  const page = await context.newPage();
  await page.addInitScript(watchPictures);
  await page.goto(address, { waitUntil: "commit", timeout: TIMEOUT_MS });
  await page.waitForFunction(isShown, null, { timeout: TIMEOUT_MS, polling: "raf" });
  const times = await page.evaluate(timesOfLoad);
  if (path) await page.screenshot({ path });
  await page.evaluate((next) => {
    window.__expect(decodeURIComponent(next.split("/").pop()), performance.now());
    history.pushState(null, "", next);
  }, other);
  await page.waitForFunction(isShown, null, { timeout: TIMEOUT_MS, polling: "raf" });
  const switchedMs = await page.evaluate(isShown);
  await page.close();
  return { ...times, switchedMs };
}

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const first = await load(context, screenshot);
const again = [];
for (let place = 0; place < Number(repeats); place += 1) again.push(await load(context));
await browser.close();
console.log(JSON.stringify({ first, again }));
