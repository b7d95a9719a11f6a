import { EventStreamParser, type StreamEvent } from "./eventStream";

export type FollowState = "connecting" | "live" | "waiting" | "gone";

export interface FollowOptions {
  url: string;
  onEvent: (event: StreamEvent) => void;
  onState: (state: FollowState) => void;
  signal: AbortSignal;
  /** Where an earlier stream stopped. */
  lastEventId?: string;
  open?: typeof fetch;
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const NO_CONTENT = 204;
const TOO_MANY = 429;

/**
 * Reads an event stream until the signal aborts, resuming after the last event it saw whenever it breaks.
 *
 * A plain `EventSource` gives up for good on an error status, for instance from a proxy while the server restarts, and
 * cannot be resumed by hand; this can.
 *
 * Returns:
 *   The id of the last event, for a later resumption.
 */
export async function followStream(options: FollowOptions): Promise<string> {
  const { url, onEvent, onState, signal, open = fetch, pause = sleep } = options;
  let lastEventId = options.lastEventId ?? "";
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    onState("connecting");
    try {
      const response = await open(url, { signal, cache: "no-store", headers: requestHeaders(lastEventId) });
      if (isFinal(response.status)) {
        onState("gone");
        return lastEventId;
      }
      if (response.ok && response.body !== null) {
        onState("live");
        for await (const event of readEvents(response.body)) {
          lastEventId = event.id || lastEventId;
          pauseMs = FIRST_PAUSE_MS;
          onEvent(event);
        }
      }
    } catch (failure) {
      if (!signal.aborted && !(failure instanceof TypeError)) {
        throw failure;
      }
    }
    if (!signal.aborted) {
      onState("waiting");
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
  return lastEventId;
}

/** Told everything, or refused: asking again would not change it. Being one too many passes. */
function isFinal(status: number): boolean {
  return status === NO_CONTENT || (status >= 400 && status < 500 && status !== TOO_MANY);
}

function requestHeaders(lastEventId: string): Record<string, string> {
  const accept = { Accept: "text/event-stream" };
  return lastEventId === "" ? accept : { ...accept, "Last-Event-ID": lastEventId };
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const parser = new EventStreamParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.releaseLock();
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
