import { Texture } from "pixi.js";

/** Makes a square texture pixel by pixel; `color` takes shares from west and from south. */
export function rasterTexture(
  size: number,
  color: (u: number, v: number) => readonly [number, number, number, number?],
): Texture {
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  const brush = canvas.getContext("2d");
  if (brush !== null) {
    const image = brush.createImageData(size, size);
    for (let row = 0; row < size; row += 1) {
      for (let column = 0; column < size; column += 1) {
        // Rows of a picture run from north to south.
        const [red, green, blue, alpha = 255] = color((column + 0.5) / size, 1 - (row + 0.5) / size);
        image.data.set([red, green, blue, alpha], (row * size + column) * 4);
      }
    }
    brush.putImageData(image, 0, 0);
  }
  return Texture.from(canvas, true);
}
