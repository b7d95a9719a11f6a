import { Container, Text } from "pixi.js";
import type { Art } from "../../scene/art";
import type { ProspectorState } from "../state";
import { PLACE_NAMES } from "./minimap";

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

export function placeTitle({ node }: ProspectorState): string {
  return node.type === "station" ? "Station" : `${PLACE_NAMES[node.type]} ${node.index}`;
}

function placeDetail({ node, asteroids }: ProspectorState): string {
  if (node.type === "station") {
    return "Docked and safe";
  }
  const left = asteroids.filter((asteroid) => asteroid.depletion < 1).length;
  const legs = node.steps_to_station === 1 ? "1 leg" : `${node.steps_to_station} legs`;
  return `${left} rocks to dig, ${legs} from the station`;
}
