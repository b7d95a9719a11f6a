import { useCallback, useEffect, useRef, useState } from "react";
import { webSocketUrl } from "../../api/base";
import type { SeatDecision } from "../../api/types";
import { type Moment, SocketReader } from "./realTime";

export const SPEEDS = [1, 2, 4, 8, 16] as const;

export interface Clock {
  isRunning: boolean;
  speed: number;
  toggle: () => void;
  pause: () => void;
  setSpeed: (speed: number) => void;
  /** Holds decisions of other seats; an empty list leaves them to the server. */
  holdOthers: (others: readonly SeatDecision[]) => void;
}

interface Callbacks {
  onMoment: (moment: Moment) => void;
  onError: (detail: string) => void;
}

/**
 * Lets the server step a session by the clock while it runs; it stands still at first.
 *
 * `action` is what is held: the server is told whenever it changes. Without a session there is no clock to run.
 */
export function useClock(sessionId: string | null, action: readonly number[], callbacks: Callbacks): Clock {
  const socket = useRef<WebSocket | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  const latest = useRef(callbacks);
  latest.current = callbacks;

  useEffect(() => {
    if (sessionId === null) {
      return;
    }
    const opened = new WebSocket(webSocketUrl(`/ws/play/session/${sessionId}?paused=true`));
    const reader = new SocketReader({
      onMoment: (moment) => latest.current.onMoment(moment),
      onError: (detail) => latest.current.onError(detail),
    });
    opened.binaryType = "arraybuffer";
    opened.onopen = () => setOpen(true);
    opened.onmessage = (event: MessageEvent<string | ArrayBuffer>) => reader.read(event.data);
    opened.onclose = () => setRunning(false);
    socket.current = opened;
    return () => {
      socket.current = null;
      opened.onmessage = null;
      opened.onclose = null;
      opened.close();
      setOpen(false);
      setRunning(false);
    };
  }, [sessionId]);

  const held = JSON.stringify(action.length === 1 ? action[0] : action);
  useEffect(() => {
    if (isOpen && socket.current?.readyState === WebSocket.OPEN) {
      socket.current.send(`{"action":${held},"paused":${!isRunning},"speed":${speed}}`);
    }
  }, [isOpen, held, isRunning, speed]);

  const toggle = useCallback(() => setRunning((was) => !was && socket.current !== null), []);
  const pause = useCallback(() => setRunning(false), []);
  const holdOthers = useCallback((others: readonly SeatDecision[]) => {
    if (socket.current?.readyState === WebSocket.OPEN) {
      socket.current.send(JSON.stringify({ others }));
    }
  }, []);
  return { isRunning, speed, toggle, pause, setSpeed, holdOthers };
}
