import { useCallback, useEffect, useRef } from "react";
import { webSocketUrl } from "../../api/base";
import type { SessionState, WorldDescriptor } from "../../api/types";

/** Whether a world is stepped by the clock instead of by decisions. */
export function isRealTime(descriptor: WorldDescriptor): boolean {
  return "real_time" in descriptor && descriptor.real_time === true;
}

type SocketMessage = (SessionState & { type: "state" }) | { type: "complete" } | { type: "error"; detail: string };

export interface RealTimeCallbacks {
  onState: (state: SessionState) => void;
  onPicture: (bytes: ArrayBuffer) => void;
  onError: (detail: string) => void;
}

/** Plays a session over its socket; returns the function that sends the input held from now on. */
export function useRealTime(sessionId: string | null, callbacks: RealTimeCallbacks): (action: number) => void {
  const socket = useRef<WebSocket | null>(null);
  const latest = useRef(callbacks);
  latest.current = callbacks;

  useEffect(() => {
    if (sessionId === null) {
      return;
    }
    const opened = new WebSocket(webSocketUrl(`/ws/play/session/${sessionId}`));
    opened.binaryType = "arraybuffer";
    opened.onmessage = (event: MessageEvent<string | ArrayBuffer>) => receive(event.data, latest.current);
    socket.current = opened;
    return () => {
      socket.current = null;
      opened.onmessage = null;
      opened.close();
    };
  }, [sessionId]);

  return useCallback((action) => {
    if (socket.current?.readyState === WebSocket.OPEN) {
      socket.current.send(JSON.stringify({ action }));
    }
  }, []);
}

/** Hands one message of the socket to whom it concerns. */
export function receive(data: string | ArrayBuffer, callbacks: RealTimeCallbacks): void {
  if (typeof data !== "string") {
    callbacks.onPicture(data);
    return;
  }
  const message = JSON.parse(data) as SocketMessage;
  if (message.type === "state") {
    callbacks.onState(message);
  } else if (message.type === "error") {
    callbacks.onError(message.detail);
  }
}
