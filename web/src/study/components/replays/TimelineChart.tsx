import { Link } from "wouter";
import type { ReplayEntry } from "../../../api/types";
import { formatNumber } from "../../../shared/format";
import { shownTags } from "../../../shared/replay/replayTags";
import { useElementWidth } from "../../../shared/useElementWidth";
import type { Timeline } from "../../state/timeline";
import classes from "./timeline.module.css";

const HEIGHT = 190;
const LEFT = 64;
const RIGHT = 44;
const TOP = 22;
const FLOOR = 132;
const LANE = 158;

/** Replays as points over windows by their return, checkpoints as diamonds below; every point opens its replay. */
export function TimelineChart({ timeline }: { timeline: Timeline }) {
  const [frame, width] = useElementWidth<HTMLDivElement>();
  const span = Math.max(1, timeline.lastWindow - timeline.firstWindow);
  const range = timeline.highestReturn - timeline.lowestReturn;
  const x = (window: number) => LEFT + ((window - timeline.firstWindow) / span) * (Math.max(width, 320) - LEFT - RIGHT);
  const y = (value: number) =>
    range > 0 ? FLOOR - ((value - timeline.lowestReturn) / range) * (FLOOR - TOP) : (TOP + FLOOR) / 2;
  const line = timeline.replays.map((replay) => `${x(replay.window_id)},${y(replay.return_total)}`).join(" ");
  return (
    <div ref={frame} className={classes.frame}>
      <svg width="100%" height={HEIGHT} aria-label="Timeline of replays and checkpoints">
        {timeline.replays.length > 0 && (
          <>
            <text x={LEFT - 12} y={y(timeline.highestReturn) + 4} className={classes.tick} textAnchor="end">
              {formatNumber(timeline.highestReturn)}
            </text>
            {range > 0 && (
              <text x={LEFT - 12} y={y(timeline.lowestReturn) + 4} className={classes.tick} textAnchor="end">
                {formatNumber(timeline.lowestReturn)}
              </text>
            )}
          </>
        )}
        <polyline points={line} className={classes.line} />
        <path d={`M${LEFT - 12} ${LANE}H${Math.max(width, 320) - RIGHT + 12}`} className={classes.lane} />
        {timeline.checkpoints.map((mark) => (
          <g key={mark.path} transform={`translate(${x(mark.window)} ${LANE})`}>
            <title>{`Checkpoint of window ${mark.window}: ${mark.path}`}</title>
            <path d="m0-5 5 5-5 5-5-5Z" className={classes.checkpoint} />
          </g>
        ))}
        <text x={x(timeline.firstWindow)} y={HEIGHT - 8} className={classes.tick} textAnchor="middle">
          {timeline.firstWindow}
        </text>
        {timeline.lastWindow > timeline.firstWindow && (
          <text x={x(timeline.lastWindow)} y={HEIGHT - 8} className={classes.tick} textAnchor="middle">
            {timeline.lastWindow}
          </text>
        )}
        {timeline.replays.map((replay) => (
          <ReplayPoint key={replay.replay_id} replay={replay} x={x(replay.window_id)} y={y(replay.return_total)} />
        ))}
      </svg>
    </div>
  );
}

function ReplayPoint({ replay, x, y }: { replay: ReplayEntry; x: number; y: number }) {
  const tags = shownTags(replay.tags);
  const isBest = tags.some((tag) => tag.kind === "best");
  const text = `Watch window ${replay.window_id}: return ${formatNumber(replay.return_total)}${
    tags.length > 0 ? `, ${tags.map((tag) => tag.label).join(", ")}` : ""
  }`;
  return (
    <Link
      href={`/watch/${replay.run_id}/${replay.replay_id}`}
      className={classes.point}
      aria-label={text}
      data-best={isBest}
    >
      <title>{text}</title>
      <circle cx={x} cy={y} r={isBest ? 7 : 5} />
      {tags.some((tag) => tag.kind === "milestone") && (
        <path d={`M${x} ${y - 10}v-9h8l-2.5 3 2.5 3h-8`} className={classes.flag} />
      )}
    </Link>
  );
}
