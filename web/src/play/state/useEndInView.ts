import { useReducedMotion } from "@mantine/hooks";
import { type RefObject, useEffect, useRef } from "react";

/** Returns a place for the picture, which is brought into view when the session ends. */
export function useEndInView(isOver: boolean): RefObject<HTMLDivElement | null> {
  const picture = useRef<HTMLDivElement>(null);
  const reducedMotion = useReducedMotion();
  useEffect(() => {
    if (isOver) {
      picture.current?.scrollIntoView({ block: "center", behavior: reducedMotion ? "auto" : "smooth" });
    }
  }, [isOver, reducedMotion]);
  return picture;
}
