import type { Curve } from "../state/curves";
import type { ReplayPane } from "../state/useReplayPane";
import classes from "./Theater.module.css";

interface Props {
  left: ReplayPane;
  right: ReplayPane;
  index: number;
  curves: readonly Curve[];
}

/** Both replays in numbers at the frame on screen. */
export function CompareScore({ left, right, index, curves }: Props) {
  return (
    <dl className={`case ${classes.score}`} data-testid="compare-score">
      {curves.map((curve) => {
        const [a, b] = [valueAt(curve, left, index), valueAt(curve, right, index)];
        return (
          <div key={curve.key}>
            <dt>{curve.label}: left, right, difference</dt>
            <dd>
              {curve.show(a)} · {curve.show(b)} · {curve.showChange(a === undefined || b === undefined ? null : a - b)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The number at a frame; at the last one of a replay that has ended. */
function valueAt(curve: Curve, pane: ReplayPane, index: number): number | undefined {
  return pane.store === null
    ? undefined
    : curve.values(pane.store.summary)[Math.min(index, Math.max(0, pane.frameCount - 1))];
}
