import { Container, Text } from "pixi.js";
import type { Art } from "../../scene/art";
import type { ProspectorState } from "../state";
import { placeDetail, placeTitle } from "../words";

/** Says where the ship is, in the upper left corner, and what the pointer is over. */
export class PlaceLabel {
  readonly view = new Container();
  readonly #title: Text;
  readonly #detail: Text;
  #hover: string | null = null;

  constructor(art: Art) {
    const font = { fontFamily: "Inter, system-ui" };
    this.#title = new Text({
      text: "",
      style: { ...font, fontSize: 16, fontWeight: "700", fill: art.color("ink.text") },
    });
    this.#detail = new Text({
      text: "",
      style: { ...font, fontSize: 12, fontWeight: "500", fill: art.color("ink.muted") },
    });
    this.#title.position.set(14, 11);
    this.#detail.position.set(14, 32);
    this.view.addChild(this.#title, this.#detail);
  }

  hover(text: string | null): void {
    this.#hover = text;
  }

  draw(state: ProspectorState): void {
    this.#title.text = placeTitle(state);
    this.#detail.text = this.#hover ?? placeDetail(state);
  }
}
