import { Container, Graphics, Text } from "pixi.js";
import { formatWholePercent } from "../../../shared/format";
import type { Art } from "../../scene/art";
import { type AsteroidState, COMMODITIES, COMMODITY_TITLES } from "../state";

const WIDTH = 178;
const ROW = 15;

/** What is believed about one rock: a bar per commodity, firmness, how much is left and how much is known. */
export class RockCard {
  readonly view = new Container();
  readonly #box = new Graphics();
  readonly #texts = new Container();
  readonly #art: Art;
  #drawn = "";

  constructor(art: Art) {
    this.#art = art;
    this.view.addChild(this.#box, this.#texts);
  }

  draw(rock: AsteroidState | null, viewHeight: number, lift: number): void {
    this.view.visible = rock !== null;
    if (rock === null) {
      return;
    }
    const height = 54 + COMMODITIES.length * ROW;
    this.view.position.set(12, viewHeight - height - 12 - lift);
    const signature = JSON.stringify(rock);
    if (signature === this.#drawn) {
      return;
    }
    this.#drawn = signature;
    for (const child of this.#texts.removeChildren()) {
      child.destroy();
    }
    this.#box
      .clear()
      .roundRect(0, 0, WIDTH, height, 10)
      .fill({ color: 0x0a0f22, alpha: 0.82 })
      .stroke({ width: 1, color: 0x3b466f });
    this.#write(`Rock ${rock.slot}`, 12, 9, 13, "700", this.#art.color("ink.text"));
    this.#write(
      `known ${formatWholePercent(rock.scan_conf)}`,
      WIDTH - 12,
      10,
      11,
      "500",
      this.#art.color("line.scan"),
      1,
    );
    rock.comp_est.forEach((share, commodity) => {
      const y = 30 + commodity * ROW;
      const color = this.#art.color(`commodity.${COMMODITIES[commodity]}`);
      this.#write(COMMODITY_TITLES[commodity] ?? "", 12, y, 11, "500", this.#art.color("ink.muted"));
      this.#box.roundRect(106, y + 3, 34, 7, 3).fill({ color: 0x252d4d });
      this.#box.roundRect(106, y + 3, Math.max(3, 34 * share), 7, 3).fill({ color, alpha: 0.4 + 0.6 * rock.scan_conf });
      this.#write(formatWholePercent(share), WIDTH - 12, y, 11, "500", this.#art.color("ink.text"), 1);
    });
    const footer = 33 + COMMODITIES.length * ROW;
    this.#write(`firm ${formatWholePercent(rock.stability_est)}`, 12, footer, 11, "500", this.#art.color("ink.text"));
    this.#write(
      `left ${formatWholePercent(1 - rock.depletion)}`,
      WIDTH - 12,
      footer,
      11,
      "500",
      this.#art.color("ink.text"),
      1,
    );
  }

  #write(text: string, x: number, y: number, size: number, weight: "500" | "700", fill: string, anchorX = 0): void {
    this.#texts.addChild(
      new Text({
        text,
        anchor: { x: anchorX, y: 0 },
        position: { x, y },
        style: { fontFamily: "Inter, system-ui", fontSize: size, fontWeight: weight, fill },
      }),
    );
  }
}
