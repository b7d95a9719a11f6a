import type { WorldDescriptor } from "../../api/types";
import { formatNumber } from "../../shared/format";
import type { ReplayPane } from "../state/useReplayPane";
import classes from "./Theater.module.css";

interface Props {
  left: ReplayPane;
  right: ReplayPane;
  index: number;
  descriptor: WorldDescriptor;
}

/** Both replays in numbers at the frame on screen. */
export function CompareScore({ left, right, index, descriptor }: Props) {
  const rows = [
    { label: "Reward, summed", read: (pane: ReplayPane) => pane.store?.summary.returns()[at(pane, index)] },
    ...descriptor.headline.map((key) => ({
      label: descriptor.metrics.find((metric) => metric.key === key)?.label ?? key,
      read: (pane: ReplayPane) => pane.store?.summary.metric(key)[at(pane, index)],
    })),
  ];
  return (
    <dl className={`case ${classes.score}`} data-testid="compare-score">
      {rows.map((row) => {
        const [a, b] = [row.read(left), row.read(right)];
        const difference = a === undefined || b === undefined ? null : a - b;
        return (
          <div key={row.label}>
            <dt>{row.label}: left, right, difference</dt>
            <dd>
              {formatNumber(a)} · {formatNumber(b)} · {difference !== null && difference > 0 ? "+" : ""}
              {formatNumber(difference)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function at(pane: ReplayPane, index: number): number {
  return Math.min(index, Math.max(0, pane.frameCount - 1));
}
