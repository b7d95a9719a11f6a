import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { LiveStore, type LiveView } from "./LiveStore";
import { liveSocketUrl } from "./liveAddress";
import { type Envelope, SUBPROTOCOL } from "./messages";

export type Connection = "connecting" | "open" | "lost" | "refused";

export interface Telemetry {
  view: LiveView | null;
  connection: Connection;
  /** Why the server refuses; null while it does not. */
  refusal: string | null;
  isNewerMinor: boolean;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
const REFUSALS: Readonly<Record<number, string>> = {
  4401: "This world shows itself only to those who have a token.",
  4403: "The token may not watch this world.",
  4409: "The server speaks another version of telemetry; load the page again.",
};

/** Follows a live world for as long as the page shows it; a connection that is lost is opened again. */
export function useTelemetry(base: string, id: string, token: string | null): Telemetry {
  const store = useMemo(() => new LiveStore(), []);
  const [connection, setConnection] = useState<Connection>("connecting");
  const [refusal, setRefusal] = useState<string | null>(null);

  useEffect(() => {
    let socket: WebSocket | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = FIRST_RETRY_MS;
    const connect = () => {
      setConnection("connecting");
      const path = `/ws/v1/worlds/${encodeURIComponent(id)}/telemetry?mode=spectator`;
      const opened = new WebSocket(liveSocketUrl(base, path), SUBPROTOCOL);
      socket = opened;
      opened.onopen = () => {
        setConnection("open");
        setRefusal(null);
        if (token !== null) {
          opened.send(JSON.stringify({ type: "auth", token }));
        }
        opened.send(JSON.stringify({ type: "subscribe", blocks: ["*", "scene"] }));
      };
      opened.onmessage = ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as Envelope | { type: "error" };
        if (!("schema_version" in message)) {
          return; // why it is closed follows with the code
        }
        wait = FIRST_RETRY_MS;
        const verdict = store.take(message, performance.now());
        if (verdict === "gap") {
          opened.send(JSON.stringify({ type: "resync" }));
        } else if (verdict === "other-version") {
          opened.close(4409);
        }
      };
      opened.onclose = ({ code }) => {
        const reason = REFUSALS[code];
        if (reason !== undefined) {
          setConnection("refused");
          setRefusal(reason);
          return;
        }
        setConnection("lost");
        timer = setTimeout(connect, wait);
        wait = Math.min(2 * wait, LONGEST_RETRY_MS);
      };
    };
    connect();
    return () => {
      clearTimeout(timer);
      if (socket !== null) {
        socket.onclose = null;
        socket.close();
      }
    };
  }, [base, id, token, store]);

  const view = useSyncExternalStore(store.listen, store.current);
  return { view, connection, refusal, isNewerMinor: store.isNewerMinor };
}
