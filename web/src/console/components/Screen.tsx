import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { type PaletteName, paintShades } from "../../renderers/pixels/shades";
import classes from "../console.module.css";

export interface ScreenHandle {
  paint: (packed: Uint8Array) => void;
  /** Returns what the screen shows, each pixel a square of `scale`. */
  photograph: (scale: number) => Promise<Blob | null>;
}

interface Props {
  rows: number;
  columns: number;
  palette: PaletteName;
  /** What is on the screen, in words. */
  label: string;
  handle: Ref<ScreenHandle>;
  children?: ReactNode;
}

/** The screen of a console: every pixel the same whole number of the display's. */
export function Screen({ rows, columns, palette, label, handle, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const image = useRef<ImageData | null>(null);
  const shown = useRef<Uint8Array | null>(null);
  const colors = useRef(palette);
  const [width, setWidth] = useState(columns);

  useImperativeHandle(handle, () => {
    const paint = (packed: Uint8Array) => {
      const context = canvas.current?.getContext("2d");
      if (context == null) {
        return;
      }
      shown.current = packed;
      image.current ??= context.createImageData(columns, rows);
      paintShades(packed, colors.current, new Uint32Array(image.current.data.buffer));
      context.putImageData(image.current, 0, 0);
    };
    const photograph = (scale: number) => enlarged(canvas.current, scale);
    return { paint, photograph };
  }, [rows, columns]);

  useEffect(() => {
    colors.current = palette;
    const context = canvas.current?.getContext("2d");
    if (context != null && image.current !== null && shown.current !== null) {
      paintShades(shown.current, palette, new Uint32Array(image.current.data.buffer));
      context.putImageData(image.current, 0, 0);
    }
  }, [palette]);

  useEffect(() => {
    const element = frame.current;
    if (element === null) {
      return;
    }
    const fit = () => setWidth(fittingWidth(element.clientWidth, element.clientHeight, columns, rows));
    const sizes = new ResizeObserver(fit);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [rows, columns]);

  return (
    <div ref={frame} className={classes.screen}>
      <canvas
        ref={canvas}
        width={columns}
        height={rows}
        role="img"
        aria-label={label}
        className={classes.picture}
        style={{ width, height: (width * rows) / columns }}
        data-testid="console-screen"
      />
      {children}
    </div>
  );
}

/** Returns the largest width at which every pixel is a whole number of the display's pixels. */
export function fittingWidth(
  width: number,
  height: number,
  columns: number,
  rows: number,
  density = window.devicePixelRatio || 1,
): number {
  const scale = Math.floor(Math.min((width * density) / columns, (height * density) / rows));
  return (Math.max(1, scale) * columns) / density;
}

function enlarged(source: HTMLCanvasElement | null, scale: number): Promise<Blob | null> {
  const large = document.createElement("canvas");
  const context = large.getContext("2d");
  if (source === null || context === null) {
    return Promise.resolve(null);
  }
  large.width = source.width * scale;
  large.height = source.height * scale;
  context.imageSmoothingEnabled = false;
  context.drawImage(source, 0, 0, large.width, large.height);
  return new Promise((resolve) => large.toBlob(resolve, "image/png"));
}
