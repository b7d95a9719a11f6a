import type { Locator } from "playwright-core";

/** A drawn scene has many colors; an empty canvas or a plain background has few. */
export const MANY_COLORS = 64;

/** Counts the colors of what is on screen there; the browser itself unpacks the picture. */
export async function countColors(target: Locator): Promise<number> {
  const picture = await target.screenshot({ animations: "disabled" });
  return countColorsOfPng(target, picture);
}

export async function countColorsOfPng(target: Locator, png: Buffer): Promise<number> {
  return target.page().evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    if (pen === null) {
      throw new Error("no canvas to count on");
    }
    pen.drawImage(image, 0, 0);
    return new Set(new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  }, png.toString("base64"));
}
