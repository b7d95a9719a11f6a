import { type PointerEvent, useRef } from "react";
import classes from "../console.module.css";
import type { RunningConsole } from "../state/useConsoleLink";

const DEAD_SHARE = 0.18;
const TAP_MS = 80;
const DIRECTIONS = [
  ["up", "Up"],
  ["left", "Left"],
  ["right", "Right"],
  ["down", "Down"],
] as const;

type Hands = Pick<RunningConsole, "press" | "release">;

/** The keys of the console on the screen, for fingers. */
export function TouchPad({ running }: { running: Hands }) {
  return (
    <fieldset className={classes.pad} aria-label="Keys of the console">
      <Cross running={running} />
      <div className={classes.buttons}>
        <PadButton running={running} name="b" label="B" />
        <PadButton running={running} name="a" label="A" />
      </div>
      <div className={classes.pills}>
        <PadButton running={running} name="select" label="Select" />
        <PadButton running={running} name="start" label="Start" />
      </div>
    </fieldset>
  );
}

/** Fingers slide over the cross; between two arms both are pressed. */
function Cross({ running }: { running: Hands }) {
  const cross = useRef<HTMLDivElement>(null);
  const follow = (event: PointerEvent) => {
    const box = cross.current?.getBoundingClientRect();
    if (box === undefined || (event.type === "pointermove" && event.buttons === 0)) {
      return;
    }
    const source = `pointer:${event.pointerId}`;
    running.release(source);
    const x = (event.clientX - box.left) / box.width - 0.5;
    const y = (event.clientY - box.top) / box.height - 0.5;
    for (const name of directionsAt(x, y)) {
      running.press(name, source);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a cross
    <div
      role="group"
      aria-label="Directions"
      ref={cross}
      className={classes.cross}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={follow}
      onPointerUp={(event) => running.release(`pointer:${event.pointerId}`)}
      onPointerCancel={(event) => running.release(`pointer:${event.pointerId}`)}
      onContextMenu={(event) => event.preventDefault()}
    >
      {DIRECTIONS.map(([name, label]) => (
        <button
          key={name}
          type="button"
          className={classes.arm}
          data-arm={name}
          aria-label={label}
          onClick={(event) => event.detail === 0 && tap(running, name)}
        />
      ))}
    </div>
  );
}

/** Returns what a place on the cross presses; -0.5 to 0.5 from its left and top. */
export function directionsAt(x: number, y: number): string[] {
  const far = Math.hypot(x, y);
  if (far < DEAD_SHARE / 2) {
    return [];
  }
  // An eighth of the circle to either side of an arm belongs to it and its neighbor.
  const part = 0.3827 * far;
  return [...(x > part ? ["right"] : x < -part ? ["left"] : []), ...(y > part ? ["down"] : y < -part ? ["up"] : [])];
}

function PadButton({ running, name, label }: { running: Hands; name: string; label: string }) {
  const source = (event: PointerEvent) => `pointer:${event.pointerId}`;
  return (
    <button
      type="button"
      className={classes.padButton}
      data-key={name}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        running.press(name, source(event));
      }}
      onPointerUp={(event) => running.release(source(event))}
      onPointerCancel={(event) => running.release(source(event))}
      onContextMenu={(event) => event.preventDefault()}
      onClick={(event) => event.detail === 0 && tap(running, name)}
    >
      {label}
    </button>
  );
}

/** A button that is pressed by other means than a pointer is pressed for a moment. */
function tap(running: Hands, name: string): void {
  running.press(name, `tap:${name}`);
  window.setTimeout(() => running.release(`tap:${name}`), TAP_MS);
}
