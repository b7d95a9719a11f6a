import "pixi.js/events";
// Draws without making functions from text, which the policy of the page forbids.
import "pixi.js/unsafe-eval";
import { Container, Text, Ticker, UPDATE_PRIORITY, WebGLRenderer } from "pixi.js";
import { openContext } from "./context";
import type { Quality } from "./quality";

/** The canvas of a picture with the clock that redraws it. */
export class Screen {
  readonly stage = new Container();
  readonly ticker = new Ticker();
  readonly quality: Quality;
  readonly #host: HTMLElement;
  readonly #renderer: WebGLRenderer;

  private constructor(host: HTMLElement, renderer: WebGLRenderer, quality: Quality) {
    this.#host = host;
    this.#renderer = renderer;
    this.quality = quality;
    this.ticker.maxFPS = quality.activeFps;
    this.ticker.add(() => this.render(), undefined, UPDATE_PRIORITY.LOW);
    renderer.canvas.setAttribute("aria-hidden", "true");
    renderer.canvas.style.display = "block";
  }

  /** Makes a canvas as large as its host; `show` puts it there. */
  static async open(host: HTMLElement, background: string): Promise<Screen> {
    const { canvas, context, quality } = openContext(window.devicePixelRatio || 1);
    const renderer = new WebGLRenderer<HTMLCanvasElement>();
    await renderer.init({
      canvas,
      context,
      background,
      width: host.clientWidth,
      height: host.clientHeight,
      autoDensity: true,
      resolution: quality.resolution,
      // What is drawn here imports what it needs; all of PixiJS would be fetched otherwise.
      manageImports: false,
    });
    return new Screen(host, renderer, quality);
  }

  get size(): { width: number; height: number } {
    return this.#renderer.screen;
  }

  show(): void {
    this.#host.appendChild(this.#renderer.canvas);
  }

  fit(): void {
    this.#renderer.resize(this.#host.clientWidth, this.#host.clientHeight);
  }

  render(): void {
    this.#renderer.render({ container: this.stage });
  }

  /** Draws all texts anew, for letters that have arrived since. */
  rewrite(): void {
    const waiting: Container[] = [this.stage];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      waiting.push(...next.children);
      if (next instanceof Text) {
        next.style.update();
      }
    }
  }

  close(): void {
    this.ticker.destroy();
    this.stage.destroy({ children: true });
    this.#renderer.destroy({ removeView: true });
  }
}
