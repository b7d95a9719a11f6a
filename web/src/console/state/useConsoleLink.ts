import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ConsoleLink } from "./ConsoleLink";
import type { ConsoleRow } from "./calls";
import { FrameMeter } from "./FrameMeter";
import { HeldKeys } from "./keys";
import type { ConsolePicture } from "./pictures";

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;

export interface ConsoleFigures {
  frameCount: number;
  /** Frames in a second, over the last moments. */
  rate: number;
  isTrapped: boolean;
}

export interface RunningConsole {
  figures: ConsoleFigures;
  isPaused: boolean;
  speed: number;
  /** The keys that are held, one bit each. */
  mask: number;
  /** Why the connection is gone; null while it is there. */
  end: string | null;
  press: (key: string, source: string) => void;
  release: (source: string) => void;
  releaseAll: () => void;
  toggle: () => void;
  setSpeed: (speed: number) => void;
  /** Runs one frame; time stands still afterwards. */
  step: () => void;
}

const PUBLISH_MS = 250;
const NOTHING: ConsoleFigures = { frameCount: 0, rate: 0, isTrapped: false };
const LOST = "The connection to the console was lost.";

/** Connects to a console while the page shows it; pictures go straight to `paint`, figures to the page now and then. */
export function useConsoleLink(
  session: string,
  { keys }: ConsoleRow,
  paint: (packed: Uint8Array) => void,
): RunningConsole {
  const link = useRef<ConsoleLink | null>(null);
  const held = useMemo(() => new HeldKeys(keys), [keys]);
  const [mask, setMask] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  const [end, setEnd] = useState<string | null>(null);
  const [figures, setFigures] = useState<ConsoleFigures>(NOTHING);
  const newest = useRef<ConsolePicture | null>(null);
  const painting = useRef(paint);
  painting.current = paint;

  useEffect(() => {
    const meter = new FrameMeter();
    const opened = new ConsoleLink(session, false, {
      onPicture: (picture) => {
        newest.current = picture;
        meter.note(picture.frameCount, performance.now());
        if (picture.packed !== null) {
          painting.current(picture.packed);
        }
      },
      onEnd: (detail) => setEnd(detail ?? LOST),
    });
    link.current = opened;
    setEnd(null);
    setPaused(false);
    setSpeed(1);
    const timer = window.setInterval(() => {
      const { frameCount = 0, isTrapped = false } = newest.current ?? {};
      const rate = meter.rate(performance.now());
      setFigures((before) =>
        before.frameCount === frameCount && before.rate === rate && before.isTrapped === isTrapped
          ? before
          : { frameCount, rate, isTrapped },
      );
    }, PUBLISH_MS);
    return () => {
      window.clearInterval(timer);
      link.current = null;
      opened.close();
    };
  }, [session]);

  const changeKeys = useCallback(
    (change: () => void) => {
      const before = held.mask;
      change();
      if (held.mask !== before) {
        link.current?.send({ keys: held.mask });
        setMask(held.mask);
      }
    },
    [held],
  );
  const press = useCallback(
    (key: string, source: string) => changeKeys(() => held.press(key, source)),
    [held, changeKeys],
  );
  const release = useCallback((source: string) => changeKeys(() => held.release(source)), [held, changeKeys]);
  const releaseAll = useCallback(() => changeKeys(() => held.releaseAll()), [held, changeKeys]);
  const pause = useCallback((paused: boolean) => {
    setPaused(paused);
    link.current?.send({ paused });
  }, []);
  return {
    figures,
    isPaused,
    speed,
    mask,
    end,
    press,
    release,
    releaseAll,
    toggle: () => pause(!isPaused),
    setSpeed: (chosen) => {
      setSpeed(chosen);
      link.current?.send({ speed: chosen });
    },
    step: () => {
      setPaused(true);
      link.current?.send({ paused: true, frames: 1 });
    },
  };
}
