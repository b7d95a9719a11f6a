import { Container, Graphics, Text } from "pixi.js";
import type { Point } from "../geometry";

const PAD_PX = 9;

/** A few lines beside the pointer. */
export class Card {
  readonly view = new Container();
  readonly #back = new Graphics();
  readonly #words = new Text({
    text: "",
    style: { fontFamily: "Inter, system-ui", fontSize: 12, fontWeight: "500", fill: "#e2e8f6", lineHeight: 17 },
  });

  constructor() {
    this.view.visible = false;
    this.view.addChild(this.#back, this.#words);
    this.#words.position.set(PAD_PX, PAD_PX - 2);
  }

  show(lines: readonly string[] | null, at: Point, width: number, height: number): void {
    this.view.visible = lines !== null;
    if (lines === null) {
      return;
    }
    this.#words.text = lines.join("\n");
    const [w, h] = [this.#words.width + PAD_PX * 2, this.#words.height + PAD_PX * 2 - 4];
    this.#back
      .clear()
      .roundRect(0, 0, w, h, 8)
      .fill({ color: "#071523", alpha: 0.94 })
      .stroke({ width: 1, color: "#3d6a8c", alpha: 0.9 });
    this.view.position.set(
      Math.round(Math.min(at.x + 16, Math.max(4, width - w - 4))),
      Math.round(Math.min(at.y + 16, Math.max(4, height - h - 4))),
    );
  }
}
