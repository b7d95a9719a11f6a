import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useClock } from "./useClock";

/** The browser's end of a socket whose other end is this test. */
class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = 0;
  readonly sent: string[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;

  constructor() {
    Socket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  accept(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }
}

beforeEach(() => {
  Socket.made = [];
  vi.stubGlobal("WebSocket", Socket);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("opens a connection that the server has closed again when it is started next", () => {
  const quiet = { onMoment: () => undefined, onError: () => undefined };
  const { result } = renderHook(() => useClock("one", [4], quiet));
  act(() => Socket.made[0]?.accept());
  act(() => result.current.toggle());
  expect(result.current).toMatchObject({ isRunning: true, isOpen: true });

  act(() => Socket.made[0]?.close());
  expect(result.current).toMatchObject({ isRunning: false, isOpen: false });
  expect(Socket.made).toHaveLength(1);

  act(() => result.current.toggle());
  expect(Socket.made).toHaveLength(2);
  act(() => Socket.made[1]?.accept());
  expect(result.current).toMatchObject({ isRunning: true, isOpen: true });
  expect(JSON.parse(Socket.made[1]?.sent.at(-1) ?? "")).toEqual({ action: 4, paused: false, speed: 1 });
});
