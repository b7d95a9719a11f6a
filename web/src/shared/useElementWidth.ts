import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The width of an element in whole pixels, known before the first paint and followed from then on. */
export function useElementWidth<Element extends HTMLElement>(): [RefObject<Element | null>, number] {
  const element = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) {
      return;
    }
    const measure = () => setWidth(Math.floor(watched.clientWidth));
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
