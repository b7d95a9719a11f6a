import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FramePage } from "../../api/types";

const REF = { run: "r", replay: "p" };
const TOTAL = 40;

let asked: string[];
let http: typeof import("./http");

beforeEach(async () => {
  asked = [];
  vi.resetModules();
  vi.stubGlobal("fetch", async (request: Request) => {
    const { searchParams } = new URL(request.url);
    const offset = Number(searchParams.get("offset"));
    asked.push(`${offset}+${searchParams.get("limit")}`);
    return Response.json(page(offset, Math.min(Number(searchParams.get("limit")), TOTAL - offset)));
  });
  http = await import("./http");
});

afterEach(() => vi.unstubAllGlobals());

function page(offset: number, count: number): Partial<FramePage> {
  const frames = Array.from({ length: count }, (_, place) => ({ frame_index: offset + place }));
  const next_offset = offset + count;
  return { frames: frames as FramePage["frames"], count, next_offset, has_more: next_offset < TOTAL };
}

async function load(ref: typeof REF, offset: number, limit: number): Promise<number> {
  let count = 0;
  for await (const frames of http.framesOverHttp(ref, offset, limit, new AbortController().signal)) {
    count += frames.length;
  }
  return count;
}

it("takes the opening that was asked for early, once", async () => {
  http.askForOpening(REF);
  http.askForOpening(REF);
  expect(await load(REF, 0, TOTAL)).toBe(TOTAL);
  expect(asked).toEqual(["0+32", "32+8"]);
  await load(REF, 0, TOTAL);
  expect(asked).toEqual(["0+32", "32+8", "0+32", "32+8"]);
});

it("leaves the opening of another replay, and to single frames, alone", async () => {
  http.askForOpening(REF);
  await load({ run: "r", replay: "q" }, 0, TOTAL);
  expect(await load(REF, 0, 1)).toBe(1);
  expect(asked).toEqual(["0+32", "0+32", "32+8", "0+1"]);
  await load(REF, 0, TOTAL);
  expect(asked.slice(4)).toEqual(["32+8"]);
});
