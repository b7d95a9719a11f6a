import { type CSSProperties, type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";
import type { PaletteName } from "../../renderers/pixels/shades";
import type { LaneStore } from "../state/LaneStore";
import { laneAt, laneBeside, type WallLayout } from "../state/layout";
import classes from "../wall.module.css";
import { GAP_PX, WallPainter } from "./WallPainter";

interface Props {
  store: LaneStore;
  layout: WallLayout;
  palette: PaletteName;
  selected: number | null;
  onSelect: (lane: number) => void;
}

/** All copies on one canvas: a cell each, framed for a moment when its episode ends. */
export function WallCanvas({ store, layout, palette, selected, onSelect }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { rows, columns, copies, world } = store.opening;
  const cell = { width: columns + GAP_PX, height: rows + GAP_PX };

  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context == null) {
      return;
    }
    const painter = new WallPainter(context, store, layout.across, palette);
    painter.paint(Array.from({ length: store.opening.copies }, (_, lane) => lane));
    return store.listen((lanes, marks) => {
      painter.paint(lanes);
      painter.mark(marks, performance.now());
    });
  }, [store, layout, palette]);

  const click = (event: MouseEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const y = (event.clientY - box.top) / box.height;
    const lane = laneAt(x, y, copies, layout);
    if (lane !== null) {
      onSelect(lane);
    }
  };
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      onSelect(selected === null ? 0 : laneBeside(selected, event.key, copies, layout));
    }
  };
  const at = selected === null ? null : { column: selected % layout.across, row: Math.floor(selected / layout.across) };
  return (
    <div className={classes.wall}>
      <div
        className={classes.hang}
        style={{ "--ratio": (layout.across * cell.width) / (layout.down * cell.height) } as CSSProperties}
      >
        <canvas
          ref={canvas}
          width={layout.across * cell.width}
          height={layout.down * cell.height}
          className={classes.canvas}
          role="img"
          aria-label={`${copies} copies of ${world}`}
          onClick={click}
          data-testid="wall"
        />
        {at !== null && (
          <div
            className={classes.selection}
            style={{
              left: `${(at.column / layout.across) * 100}%`,
              top: `${(at.row / layout.down) * 100}%`,
              width: `${100 / layout.across}%`,
              height: `${100 / layout.down}%`,
            }}
          />
        )}
        <button type="button" className={classes.walker} onKeyDown={move} onClick={() => onSelect(selected ?? 0)}>
          {selected === null ? "Choose a copy with the arrow keys" : `Copy ${selected}; arrow keys go on`}
        </button>
      </div>
    </div>
  );
}
