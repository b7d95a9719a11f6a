import { useCallback, useEffect, useRef, useState } from "react";
import { webSocketUrl } from "../../api/base";
import { LaneStore } from "./LaneStore";
import { readPictures, type WallFigures, type WallLane, type WallMessage } from "./messages";
import { socketPath, type WallQuestion } from "./question";

export interface Wall {
  /** What hangs there; null until it is known. */
  store: LaneStore | null;
  figures: WallFigures | null;
  lane: WallLane | null;
  /** Why there is no wall; null while there is one, or one is being opened. */
  end: string | null;
  isPaused: boolean;
  select: (lane: number | null) => void;
  togglePause: () => void;
  reopen: () => void;
}

const LOST = "The connection to the wall was lost.";

/** Opens a wall for as long as the page asks for it. */
export function useWall(world: string, question: WallQuestion, config: Readonly<Record<string, unknown>> | null): Wall {
  const [store, setStore] = useState<LaneStore | null>(null);
  const [figures, setFigures] = useState<WallFigures | null>(null);
  const [lane, setLane] = useState<WallLane | null>(null);
  const [end, setEnd] = useState<string | null>(null);
  const [isPaused, setPaused] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const socket = useRef<WebSocket | null>(null);
  const { copies, player, rate, rom } = question;
  const configText = config === null ? null : JSON.stringify(config);
  const startRate = useRef(rate);
  startRate.current = rate;

  // Another attempt is another wall.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const asked = { copies, player, rate: startRate.current, rom };
    const path = socketPath(world, asked, configText === null ? null : JSON.parse(configText));
    const opened = new WebSocket(webSocketUrl(path));
    let hung: LaneStore | null = null;
    let detail: string | null = null;
    opened.binaryType = "arraybuffer";
    opened.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data !== "string") {
        const pictures = hung === null ? null : readPictures(data, hung.opening);
        if (pictures !== null) {
          hung?.take(pictures);
          opened.send(JSON.stringify({ seen: pictures.number }));
        }
        return;
      }
      const message = JSON.parse(data) as WallMessage;
      if (message.type === "wall") {
        hung = new LaneStore(message);
        setStore(hung);
      } else if (message.type === "figures") {
        setFigures(message);
      } else if (message.type === "lane") {
        setLane(message);
      } else {
        detail = message.detail;
      }
    };
    opened.onclose = () => setEnd(detail ?? LOST);
    socket.current = opened;
    setStore(null);
    setFigures(null);
    setLane(null);
    setEnd(null);
    setPaused(false);
    return () => {
      socket.current = null;
      opened.onmessage = null;
      opened.onclose = null;
      opened.close();
    };
  }, [world, copies, player, configText, attempt]);

  const send = useCallback((command: object) => {
    if (socket.current?.readyState === WebSocket.OPEN) {
      socket.current.send(JSON.stringify(command));
    }
  }, []);
  useEffect(() => send({ rate }), [rate, send]);
  const select = useCallback(
    (chosen: number | null) => {
      send({ lane: chosen ?? -1 });
      if (chosen === null) {
        setLane(null);
      }
    },
    [send],
  );
  const togglePause = useCallback(() => {
    setPaused((was) => !was);
  }, []);
  useEffect(() => send({ paused: isPaused }), [isPaused, send]);
  const reopen = useCallback(() => setAttempt((count) => count + 1), []);
  return { store, figures, lane, end, isPaused, select, togglePause, reopen };
}
