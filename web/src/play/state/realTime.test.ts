import { expect, it, vi } from "vitest";
import { SocketReader } from "./realTime";

function reader() {
  const callbacks = { onMoment: vi.fn(), onError: vi.fn() };
  return { callbacks, socket: new SocketReader(callbacks) };
}

it("hands a state on with the pictures that follow it", () => {
  const { callbacks, socket } = reader();
  socket.read(JSON.stringify({ type: "state", steps: 3, paused: true, pictures: [{ name: "screen", shape: [1, 2] }] }));
  expect(callbacks.onMoment).not.toHaveBeenCalled();
  socket.read(new Uint8Array([7, 9]).buffer);

  const moment = callbacks.onMoment.mock.calls[0]?.[0];
  expect(moment).toMatchObject({ isPaused: true, state: { steps: 3 } });
  expect(moment.pixels).toEqual([{ name: "screen", shape: [1, 2], bytes: new Uint8Array([7, 9]) }]);
});

it("does not wait where a world sends none", () => {
  const { callbacks, socket } = reader();
  socket.read(JSON.stringify({ type: "state", steps: 4, paused: false, pictures: [] }));
  expect(callbacks.onMoment).toHaveBeenCalledOnce();
});

it("tells what went wrong", () => {
  const { callbacks, socket } = reader();
  socket.read(JSON.stringify({ type: "error", status_code: 404, detail: "gone" }));
  expect(callbacks.onError).toHaveBeenCalledWith("gone");
});
