import { expect, it } from "vitest";
import { eventText } from "./eventText";

const at = { tick: 3, seq_in_tick: 0, priority: "P1" };

it.each([
  [{ event: "job_late", agent_id: "citizen_000", ticks_late: 4 }, "job late · agent Ada · ticks late 4"],
  [
    { event: "console_result", name: "price", issuer: "mayor", status: "ok", cmd_id: "1", result: null },
    "mayor gave price: done",
  ],
  [
    { event: "console_result", name: "kill", issuer: "guest", status: "error", error: { code: "forbidden" } },
    "guest gave kill: forbidden",
  ],
])("tells %j as one line", (event, text) => {
  expect(eventText({ ...at, ...event }, (id) => (id === "citizen_000" ? "Ada" : id))).toBe(text);
});
