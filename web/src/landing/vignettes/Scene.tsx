import type { ReactNode } from "react";

const SCENE_WIDTH = 400;
const SCENE_HEIGHT = 200;

/** The frame all vignettes share: one size, cropped to fill its card, decoration only. */
export function Scene({ sky, children }: { sky: [string, string]; children: ReactNode }) {
  const skyId = `sky-${sky[0].slice(1)}`;
  return (
    <svg
      viewBox={`0 0 ${SCENE_WIDTH} ${SCENE_HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      width="100%"
      height="100%"
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <linearGradient id={skyId} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={sky[0]} />
          <stop offset="1" stopColor={sky[1]} />
        </linearGradient>
      </defs>
      <rect width={SCENE_WIDTH} height={SCENE_HEIGHT} fill={`url(#${skyId})`} />
      {children}
    </svg>
  );
}
