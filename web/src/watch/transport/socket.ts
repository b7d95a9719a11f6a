import { webSocketUrl } from "../../api/base";
import { ApiError } from "../../api/errors";
import type { FrameMessage } from "../../api/messages";
import type { Frame } from "../../api/types";
import type { ReplayRef } from "../state/deepLink";
import { Mailbox } from "./mailbox";

export async function* framesOverSocket(
  ref: ReplayRef,
  offset: number,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<Frame[]> {
  const path = `/ws/runs/${encodeURIComponent(ref.run)}/replays/${encodeURIComponent(ref.replay)}/frames`;
  const socket = new WebSocket(webSocketUrl(`${path}?offset=${offset}&limit=${limit}`));
  const mailbox = new Mailbox<Frame[]>();
  const abort = () => mailbox.fail(new DOMException("the load was cancelled", "AbortError"));
  signal.addEventListener("abort", abort);
  socket.onmessage = (event: MessageEvent<string>) => deliver(JSON.parse(event.data) as FrameMessage, mailbox);
  socket.onclose = () => mailbox.fail(new ApiError(0, "The connection to the server broke off."));
  try {
    yield* mailbox.items();
  } finally {
    signal.removeEventListener("abort", abort);
    socket.onclose = null;
    socket.close();
  }
}

function deliver(message: FrameMessage, mailbox: Mailbox<Frame[]>): void {
  if (message.type === "complete") {
    mailbox.close();
  } else if (message.type === "error") {
    mailbox.fail(new ApiError(message.status_code, message.detail));
  } else if (message.frames.length > 0) {
    mailbox.put(message.frames);
  }
}
