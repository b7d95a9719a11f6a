import { useCallback, useEffect, useRef, useState } from "react";
import { webSocketUrl } from "../../api/base";
import type { SeatDecision } from "../../api/types";
import { type Moment, SocketReader } from "./realTime";

export const SPEEDS = [1, 2, 4, 8, 16] as const;

export interface Clock {
  isRunning: boolean;
  /** Whether the server listens. */
  isOpen: boolean;
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
 * `action` is what is held: the server is told whenever it changes. Without a session there is no clock to run. A
 * connection that the server has closed is opened again when the clock is started next.
 */
export function useClock(sessionId: string | null, action: readonly number[], callbacks: Callbacks): Clock {
  const socket = useRef<WebSocket | null>(null);
  const [reopenings, setReopenings] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  const latest = useRef(callbacks);
  latest.current = callbacks;

  // biome-ignore lint/correctness/useExhaustiveDependencies: every reopening makes another socket
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
    const leave = () => {
      socket.current = null;
      setOpen(false);
      setRunning(false);
    };
    opened.onclose = leave;
    socket.current = opened;
    return () => {
      opened.onmessage = null;
      opened.onclose = null;
      opened.close();
      // One that was closed before has been left already, perhaps for a clock that was started again.
      if (socket.current === opened) {
        leave();
      }
    };
  }, [sessionId, reopenings]);

  const held = JSON.stringify(action.length === 1 ? action[0] : action);
  useEffect(() => {
    if (isOpen && socket.current?.readyState === WebSocket.OPEN) {
      socket.current.send(`{"action":${held},"paused":${!isRunning},"speed":${speed}}`);
    }
  }, [isOpen, held, isRunning, speed]);

  const toggle = useCallback(() => {
    if (sessionId === null) {
      return;
    }
    if (socket.current === null) {
      setReopenings((count) => count + 1);
    }
    setRunning((was) => !was);
  }, [sessionId]);
  const pause = useCallback(() => setRunning(false), []);
  const holdOthers = useCallback((others: readonly SeatDecision[]) => {
    if (socket.current?.readyState === WebSocket.OPEN) {
      socket.current.send(JSON.stringify({ others }));
    }
  }, []);
  return { isRunning, isOpen, speed, toggle, pause, setSpeed, holdOthers };
}
