import type { MountOptions, View, WorldRenderer } from "../renderer";
import { toImage } from "./rgba";

/** Draws the first picture that a world sends, as large as fits, every pixel a sharp square. */
export class PixelRenderer implements WorldRenderer {
  readonly #canvas = document.createElement("canvas");

  async mount(host: HTMLElement, _options: MountOptions): Promise<void> {
    const { style } = this.#canvas;
    style.width = "100%";
    style.height = "100%";
    style.objectFit = "contain";
    style.imageRendering = "pixelated";
    style.display = "block";
    this.#canvas.setAttribute("aria-hidden", "true");
    host.appendChild(this.#canvas);
  }

  show({ pixels }: View): void {
    const image = pixels?.[0] === undefined ? null : toImage(pixels[0]);
    if (image === null) {
      return;
    }
    if (this.#canvas.width !== image.width || this.#canvas.height !== image.height) {
      this.#canvas.width = image.width;
      this.#canvas.height = image.height;
    }
    this.#canvas.getContext("2d")?.putImageData(new ImageData(image.data, image.width, image.height), 0, 0);
  }

  /** The page scales the canvas. */
  resize(): void {}

  destroy(): void {
    this.#canvas.remove();
  }
}
