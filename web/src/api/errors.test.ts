import { describe, expect, test } from "vitest";
import { ApiError, unwrap } from "./errors";

const answer = (status: number, body: { data?: unknown; error?: unknown }) =>
  Promise.resolve({ ...body, response: new Response(null, { status, statusText: "Odd" }) });

describe("unwrap", () => {
  test("gives the data of a good answer", async () => {
    await expect(unwrap(answer(200, { data: { count: 0 } }))).resolves.toEqual({ count: 0 });
  });

  test.each([
    ["the server's own words", { detail: "there is no run 'x'" }, "there is no run 'x'"],
    [
      "every violation with its place",
      { detail: [{ loc: ["query", "limit"], msg: "too big" }] },
      "query.limit: too big",
    ],
    ["the status when the body says nothing", "<html>", "The server answered 502 Odd"],
  ])("a refusal carries %s", async (_what, error, message) => {
    await expect(unwrap(answer(502, { error }))).rejects.toMatchObject({ status: 502, message, isUnreachable: false });
  });

  test("a server that cannot be reached is an error of its own", async () => {
    const failure = unwrap(Promise.reject(new TypeError("Failed to fetch")));

    await expect(failure).rejects.toMatchObject({ status: 0, isUnreachable: true });
    await expect(failure).rejects.toBeInstanceOf(ApiError);
  });

  test("a request that was called off stays so", async () => {
    const abort = new DOMException("called off", "AbortError");

    await expect(unwrap(Promise.reject(abort))).rejects.toBe(abort);
  });
});
