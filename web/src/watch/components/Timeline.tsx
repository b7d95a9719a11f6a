import { type KeyboardEvent, memo, type PointerEvent, useMemo, useRef } from "react";
import { humanize } from "../../renderers/ui/labels";
import type { Curve } from "../state/curves";
import type { Summary } from "../state/summary";
import { curvePoints, type Mark, timelineMarks } from "../state/timelineMarks";
import classes from "./Timeline.module.css";

const COLUMNS = 480;
const HEIGHT = 56;
const PAGE_FRAMES = 50;

interface Props {
  frames: number;
  index: number;
  summary: Summary | null;
  /** Grows when the summary learned something. */
  version: number;
  curve: Curve;
  onSeek: (index: number) => void;
}

/** The whole replay at a glance: value curve, marks of what happened, and the handle that scrubs. */
export function Timeline({ frames, index, summary, version, curve, onSeek }: Props) {
  const track = useRef<HTMLDivElement>(null);
  // The summary grows in place; its version tells when it did.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const { path, marks, range } = useMemo(() => drawing(summary, curve, frames), [summary, curve, frames, version]);
  const share = frames > 1 ? index / (frames - 1) : 0;

  const seekTo = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    if (box !== undefined && box.width > 0) {
      onSeek(((event.clientX - box.left) / box.width) * (frames - 1));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = keyTarget(event.key, index, frames);
    if (target !== null) {
      event.preventDefault();
      event.stopPropagation();
      onSeek(target);
    }
  };
  return (
    <div
      ref={track}
      className={classes.track}
      role="slider"
      tabIndex={0}
      aria-label="Timeline"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, frames - 1)}
      aria-valuenow={index}
      aria-valuetext={`Frame ${index} of ${Math.max(0, frames - 1)}`}
      data-testid="timeline"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => event.buttons > 0 && seekTo(event)}
    >
      <svg
        viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className={classes.drawing}
      >
        {path.area !== "" && <path d={path.area} className={classes.area} />}
        {path.line !== "" && <path d={path.line} className={classes.line} vectorEffect="non-scaling-stroke" />}
      </svg>
      <Marks marks={marks} frames={frames} />
      <span className={classes.past} style={{ width: `${share * 100}%` }} />
      <span className={classes.handle} style={{ left: `${share * 100}%` }} />
      {range !== null && (
        <span className={classes.range} aria-hidden>
          {curve.label} {curve.show(range.low)}
          {range.high > range.low && ` to ${curve.show(range.high)}`}
        </span>
      )}
    </div>
  );
}

const Marks = memo(function Marks({ marks, frames }: { marks: readonly Mark[]; frames: number }) {
  return marks.map((mark) => (
    <span
      key={`${mark.name}-${mark.frame}`}
      className={classes.mark}
      data-tone={mark.tone}
      style={{ left: `${(mark.frame / Math.max(1, frames - 1)) * 100}%` }}
      title={`${humanize(mark.name)} at frame ${mark.frame}`}
    />
  ));
});

function keyTarget(key: string, index: number, frames: number): number | null {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return index - 1;
    case "ArrowRight":
    case "ArrowUp":
      return index + 1;
    case "PageDown":
      return index + PAGE_FRAMES;
    case "PageUp":
      return index - PAGE_FRAMES;
    case "Home":
      return 0;
    case "End":
      return frames - 1;
    default:
      return null;
  }
}

function drawing(summary: Summary | null, curve: Curve, frames: number) {
  if (summary === null) {
    return { path: { line: "", area: "" }, marks: [], range: null };
  }
  const runs = curvePoints(curve.values(summary), COLUMNS);
  const place = ({ x, y }: { x: number; y: number }) =>
    `${(x * COLUMNS).toFixed(1)} ${((1 - y) * (HEIGHT - 8) + 4).toFixed(1)}`;
  const line = runs.map((run) => `M${run.map(place).join("L")}`).join("");
  const area = runs
    .map(
      (run) =>
        `M${((run[0]?.x ?? 0) * COLUMNS).toFixed(1)} ${HEIGHT}L${run.map(place).join("L")}L${((run.at(-1)?.x ?? 0) * COLUMNS).toFixed(1)} ${HEIGHT}Z`,
    )
    .join("");
  const all = runs.flat().map((point) => point.value);
  const range = all.length === 0 ? null : { low: Math.min(...all), high: Math.max(...all) };
  return { path: { line, area }, marks: timelineMarks(summary.marks(), frames, COLUMNS / 2), range };
}
