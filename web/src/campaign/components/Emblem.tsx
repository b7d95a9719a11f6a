import type { ReactNode } from "react";
import { type Banner, outlineOf } from "../state/banners";

interface Props {
  banner: Banner;
  size: number;
  isHollow?: boolean;
  children?: ReactNode;
}

/** The mark of a faction: its shape in its color. */
export function Emblem({ banner, size, isHollow = false, children }: Props) {
  const outline = outlineOf(banner.shape);
  const paint = {
    fill: isHollow ? "var(--dio-surface)" : banner.color,
    stroke: banner.color,
    strokeWidth: 2,
    strokeLinejoin: "round" as const,
  };
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {outline === null ? <circle cx={12} cy={12} r={10.5} {...paint} /> : <polygon points={outline} {...paint} />}
      {children}
    </svg>
  );
}
