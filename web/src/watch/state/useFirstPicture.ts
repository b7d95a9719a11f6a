import { useCallback, useState } from "react";

/** A picture that never comes holds nothing up for longer than this. */
const PATIENCE_MS = 3000;

/** Tells when the first picture has been drawn, or could not be. */
export function useFirstPicture(): { picture: Promise<void>; onPicture: () => void } {
  const [{ picture, tell }] = useState(() => {
    let tell: () => void = () => undefined;
    const picture = new Promise<void>((resolve) => {
      tell = resolve;
    });
    window.setTimeout(tell, PATIENCE_MS);
    return { picture, tell };
  });
  // The callback after the next one runs once the drawing has been handed to the screen.
  const onPicture = useCallback(() => requestAnimationFrame(() => requestAnimationFrame(tell)), [tell]);
  return { picture, onPicture };
}
