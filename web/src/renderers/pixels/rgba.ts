import type { Pixels } from "../renderer";

/** A picture ready to be put on a canvas. */
export interface Image {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** Game Boy shades and the like: few values stand for brightness from white to black. */
const FEW = 4;

/**
 * Turns pixels into red, green, blue and opacity.
 *
 * Shapes are rows by columns, with one, three or four channels last. A picture without channels that knows no value
 * above 3 is one of four shades, 0 the lightest. Returns null for a shape that is no picture.
 */
export function toImage({ shape, bytes }: Pixels): Image | null {
  const [height = 0, width = 0, channels = 1] = shape;
  if (![2, 3].includes(shape.length) || ![1, 3, 4].includes(channels) || bytes.length !== height * width * channels) {
    return null;
  }
  const isShades = channels === 1 && bytes.every((value) => value < FEW);
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const value = (channel: number) => bytes[at * channels + Math.min(channel, channels - 1)] ?? 0;
    const color = isShades ? Array(3).fill(255 - value(0) * 85) : [value(0), value(1), value(2)];
    data.set([...color, channels === 4 ? value(3) : 255], at * 4);
  }
  return { width, height, data };
}
