import { describe, expect, test } from "vitest";
import { checkedAddress } from "./serverAddress";

describe("the address a client is built for", () => {
  test.each([
    ["", ""],
    ["https://api.example", "https://api.example"],
    ["http://127.0.0.1:8000/", "http://127.0.0.1:8000"],
    ["https://example.org/diorama//", "https://example.org/diorama"],
  ])("%j becomes %j", (given, expected) => {
    expect(checkedAddress(given)).toBe(expected);
  });

  test.each([
    "api.example",
    "/api",
    "ftp://api.example",
    "https://",
    "https://api.example?x=1",
    "https://api.example#x",
  ])("%j is refused", (given) => {
    expect(() => checkedAddress(given)).toThrow("is no address of a server");
  });
});
