import { actionKey } from "../decisions";
import { isPalette, type PaletteName, paintShades } from "../pixels/shades";
import type { MountOptions, ToolChoices, View, WorldRenderer } from "../renderer";
import classes from "./gameboy.module.css";
import { COLUMNS, pictureOf, ROWS, readState } from "./state";
import { kindWords } from "./words";

const KEYS = ["LEFT", "UP", "DOWN", "RIGHT", "B", "A", "START"] as const;
const CAPS: Readonly<Record<string, string>> = { LEFT: "←", UP: "↑", DOWN: "↓", RIGHT: "→", START: "Start" };
const STRIP_PX = 44;

/** Draws the screen with sharp pixels, and under it which key the step pressed. */
export class GameboyRenderer implements WorldRenderer {
  readonly #root = element("div", classes.root);
  readonly #canvas = document.createElement("canvas");
  readonly #strip = element("div", classes.strip);
  readonly #caption = element("span", classes.caption);
  readonly #caps = new Map<string, HTMLElement>();
  #options: MountOptions | null = null;
  #palette: PaletteName = "grey";
  #packed: Uint8Array | null = null;

  async mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#options = options;
    this.#canvas.width = COLUMNS;
    this.#canvas.height = ROWS;
    this.#canvas.className = classes.canvas ?? "";
    this.#root.setAttribute("aria-hidden", "true");
    for (const name of KEYS) {
      const cap = element("kbd", classes.cap);
      cap.textContent = CAPS[name] ?? name;
      this.#caps.set(name, cap);
      this.#strip.append(cap);
    }
    this.#strip.append(this.#caption);
    this.#root.append(this.#canvas, this.#strip);
    host.append(this.#root);
    this.resize();
  }

  show({ state, frame }: View): void {
    const packed = pictureOf(state);
    if (packed !== null) {
      this.#packed = packed;
      this.#paint();
    }
    const heads = this.#options?.descriptor.action_heads ?? [];
    const pressed = new Set((frame?.options ?? []).map((option) => actionKey(heads, option).split(".").at(-1)));
    for (const [name, cap] of this.#caps) {
      cap.dataset.pressed = String(pressed.has(name));
    }
    const { rom, kind } = readState(state);
    this.#caption.textContent = [rom, kindWords(kind ?? "")].filter((part) => part).join(" · ");
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.#root;
    const density = window.devicePixelRatio || 1;
    const room = Math.min(clientWidth / COLUMNS, (clientHeight - STRIP_PX) / ROWS);
    const scale = Math.max(1, Math.floor(room * density)) / density;
    this.#canvas.style.width = `${COLUMNS * scale}px`;
    this.#canvas.style.height = `${ROWS * scale}px`;
  }

  apply({ palette }: ToolChoices): void {
    if (isPalette(palette)) {
      this.#palette = palette;
      this.#paint();
    }
  }

  destroy(): void {
    this.#root.remove();
  }

  #paint(): void {
    const context = this.#canvas.getContext("2d");
    if (context === null || this.#packed === null) {
      return;
    }
    const image = context.createImageData(COLUMNS, ROWS);
    paintShades(this.#packed, this.#palette, new Uint32Array(image.data.buffer));
    context.putImageData(image, 0, 0);
  }
}

function element(tag: string, className: string | undefined): HTMLElement {
  const made = document.createElement(tag);
  made.className = className ?? "";
  return made;
}
