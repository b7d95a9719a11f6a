import { describe, expect, test } from "vitest";
import { EventStreamParser } from "./eventStream";

const STREAM =
  'id: 3\nevent: window\ndata: {"window_id":3}\n\n: still here\n\nid: 4\nevent: status\ndata: a\ndata: b\n\n';

describe("an event stream", () => {
  test("gives whole events with id, name and data", () => {
    expect(new EventStreamParser().push(STREAM)).toEqual([
      { id: "3", name: "window", data: '{"window_id":3}' },
      { id: "4", name: "status", data: "a\nb" },
    ]);
  });

  test.each([1, 2, 5, 7])("reads the same in chunks of %d characters", (size) => {
    const parser = new EventStreamParser();
    const events = [];
    for (let at = 0; at < STREAM.length; at += size) {
      events.push(...parser.push(STREAM.slice(at, at + size)));
    }

    expect(events).toEqual(new EventStreamParser().push(STREAM));
  });

  test("reads carriage returns, also when one is split from its line feed", () => {
    const parser = new EventStreamParser();

    expect(parser.push("data: x\r")).toEqual([]);
    expect(parser.push("\n\r\n")).toEqual([{ id: "", name: "message", data: "x" }]);
  });

  test("comments alone make no event", () => {
    expect(new EventStreamParser().push(": keep-alive\n\n")).toEqual([]);
  });
});
