import { useEffect, useRef, useState } from "react";

/** After a drawing so many times as long is left to everything else. */
const REST = { quick: 2, slow: 20 } as const;
/** Without a graphics card drawing takes longer, and nothing else of the page can be shown meanwhile. */
const QUICK_MS = 80;
/** The first drawings load and compile things: they say little about the next ones. */
const LONGEST_REST_MS = 5000;

function restAfter(drawingMs: number): number {
  return Math.min(LONGEST_REST_MS, drawingMs * (drawingMs <= QUICK_MS ? REST.quick : REST.slow));
}

/**
 * Passes on what a picture is drawn from: everything while drawing is quick, else fewer and newer states. Numbers beside
 * the picture need not wait for it.
 */
export function usePaced<Value>(value: Value): Value {
  const [passed, setPassed] = useState({ value });
  const newest = useRef(value);
  const isResting = useRef(false);

  useEffect(() => {
    newest.current = value;
    if (!isResting.current) {
      setPassed((before) => (before.value === value ? before : { value }));
    }
  }, [value]);

  useEffect(() => {
    isResting.current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begun = performance.now();
    const wake = () => {
      isResting.current = false;
      if (newest.current !== passed.value) {
        setPassed({ value: newest.current });
      }
    };
    let frame = requestAnimationFrame(() => {
      // The callback after the next one runs once the drawing has been handed to the screen.
      frame = requestAnimationFrame(() => {
        timer = setTimeout(wake, restAfter(performance.now() - begun));
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [passed]);

  return passed.value;
}
