import { describe, expect, it } from "vitest";
import { parsePath, parseRef, parseSearch, watchAddress } from "./deepLink";

const REF = { run: "20260101T000000Z-abc", replay: "replay-000045-4f51d24f" };

describe("deep links", () => {
  it("carry the moment and the replay to compare with", () => {
    const link = parseSearch("?t=120&with=run.b/replay-000001-00000000");
    expect(link).toEqual({ t: 120, compare: { run: "run.b", replay: "replay-000001-00000000" } });
  });

  it.each(["", "?t=", "?t=abc", "?t=-4", "?t=Infinity"])("read %j as no moment at all or the start", (search) => {
    expect(parseSearch(search).t ?? 0).toBe(0);
  });

  it.each([null, "", "run", "run/", "../x", "a/b/c", "run/.hidden"])("refuse %j as a replay", (text) => {
    expect(parseRef(text)).toBeNull();
  });

  it.each(["/", "/watch", "/watch/run", "/watch/run/", "/play/run/replay", "/watch/a/b/c", "/watch/a/%2e%2e"])(
    "name no replay in %j",
    (path) => expect(parsePath(path)).toBeNull(),
  );

  it("name their replay in the path", () => {
    expect(parsePath(watchAddress(REF, 0))).toEqual(REF);
    expect(parsePath(`${watchAddress(REF, 0)}/`)).toEqual(REF);
  });

  it("name the replay of a champion", () => {
    const ref = { run: "champion:prospector", replay: "replay-000001-00000000" };
    expect(parsePath(watchAddress(ref, 0))).toEqual(ref);
    expect(parseSearch(watchAddress(REF, 0, ref).split("?")[1] ?? "").compare).toEqual(ref);
    expect(parsePath("/watch/champion%3Aprospector/replay-000001-00000000")).toEqual(ref);
    expect(parseRef("champion:/replay-000001-00000000")).toBeNull();
  });

  it("come back as they were written", () => {
    const address = watchAddress(REF, 34, { run: "b", replay: "r1" });
    expect(address).toBe("/watch/20260101T000000Z-abc/replay-000045-4f51d24f?t=34&with=b/r1");
    expect(parseSearch(address.slice(address.indexOf("?")))).toEqual({ t: 34, compare: { run: "b", replay: "r1" } });
    expect(watchAddress(REF, 0)).not.toContain("?");
  });
});
