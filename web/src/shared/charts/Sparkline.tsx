import { sparklinePath } from "./sparklinePath";

const MARGIN = 2;

interface Props {
  values: readonly (number | null)[];
  label: string;
  width?: number;
  height?: number;
  color?: string;
}

/** A curve the size of a word. */
export function Sparkline({ values, label, width = 110, height = 26, color = "var(--dio-accent)" }: Props) {
  const path = sparklinePath(values, width - 2 * MARGIN, height - 2 * MARGIN);
  if (path === null) {
    return (
      <svg width={width} height={height} role="img" aria-label={`${label}: too few values`}>
        <path d={`M0 ${height / 2}h${width}`} stroke="var(--dio-line-strong)" strokeDasharray="2 4" />
      </svg>
    );
  }
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <g transform={`translate(${MARGIN} ${MARGIN})`}>
        <path d={path} fill="none" stroke={color} strokeWidth="1.6" strokeLinejoin="round" strokeLinecap="round" />
      </g>
    </svg>
  );
}
