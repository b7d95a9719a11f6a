import { Container, Graphics, Rectangle, Text } from "pixi.js";
import { formatWholePercent } from "../../../shared/format";
import type { Art } from "../../scene/art";
import { around, type MapPlacement, mapPlacement, neighborAngle, threatLevel } from "../layout";
import type { NodeType, ProspectorState } from "../state";
import { placeName } from "../words";

/** The places one leg away: color of the way by its believed threat, shape by kind, number of the slot beneath. */
export class MiniMap {
  readonly view = new Container();
  readonly #art: Art;
  readonly #lines = new Graphics();
  readonly #places = new Container();
  readonly #onPick: (slot: number) => void;
  readonly #onHover: (text: string | null) => void;
  #drawn = "";

  constructor(art: Art, onPick: (slot: number) => void, onHover: (text: string | null) => void) {
    this.#art = art;
    this.#onPick = onPick;
    this.#onHover = onHover;
    this.view.addChild(this.#lines, this.#places);
  }

  draw(state: ProspectorState, width: number, height: number): void {
    const signature = JSON.stringify([state.node, state.neighbors, width, height]);
    if (signature === this.#drawn) {
      return;
    }
    this.#drawn = signature;
    const placement = mapPlacement(width, height);
    this.#drawPanel(placement);
    for (const child of this.#places.removeChildren()) {
      child.destroy({ children: true });
    }
    const size = placement.half * 0.13;
    for (const neighbor of state.neighbors) {
      const place = around(placement.center, placement.orbit, neighborAngle(neighbor.slot));
      const color = this.#art.color(`threat.${threatLevel(neighbor.threat_est)}`);
      this.#lines
        .moveTo(placement.center.x, placement.center.y)
        .lineTo(place.x, place.y)
        .stroke({ width: 2.4, color, alpha: 0.9 });
      const spot = new Container({ x: Math.round(place.x), y: Math.round(place.y) });
      spot.addChild(
        placeShape(neighbor.type, size, this.#art.color(`place.${neighbor.type}`)),
        this.#number(neighbor.slot, size),
      );
      spot.eventMode = "static";
      spot.cursor = "pointer";
      spot.hitArea = new Rectangle(-size * 2.2, -size * 2.2, size * 4.4, size * 5);
      spot.on("pointertap", () => this.#onPick(neighbor.slot));
      spot.on("pointerover", () =>
        this.#onHover(
          `${placeName(neighbor.type, neighbor.node)}: ${neighbor.travel_time} ticks, ${Math.round(neighbor.fuel_cost)} fuel, threat ${formatWholePercent(neighbor.threat_est)}`,
        ),
      );
      spot.on("pointerout", () => this.#onHover(null));
      this.#places.addChild(spot);
    }
    this.#places.addChild(
      new Text({
        text: "Ways out",
        position: {
          x: Math.round(placement.center.x - placement.half + 10),
          y: Math.round(placement.center.y - placement.half + 7),
        },
        style: { fontFamily: "Inter, system-ui", fontSize: 11, fontWeight: "600", fill: this.#art.color("ink.muted") },
      }),
    );
    const here = new Container({ x: placement.center.x, y: placement.center.y });
    here.addChild(
      placeShape(state.node.type, size * 1.15, this.#art.color(`place.${state.node.type}`)),
      new Graphics().circle(0, 0, size * 1.9).stroke({ width: 1.4, color: this.#art.color("ink.text"), alpha: 0.85 }),
    );
    this.#places.addChild(here);
  }

  #drawPanel({ center, half }: MapPlacement): void {
    this.#lines
      .clear()
      .roundRect(center.x - half, center.y - half, half * 2, half * 2, 12)
      .fill({ color: 0x0a0f22, alpha: 0.78 })
      .stroke({ width: 1, color: 0x3b466f, alpha: 0.9 });
  }

  #number(slot: number, size: number): Text {
    return new Text({
      text: `${slot}`,
      anchor: { x: 0.5, y: 0 },
      position: { x: 0, y: Math.round(size * 1.25) },
      style: {
        fontFamily: "Inter, system-ui",
        fontSize: Math.max(11, size * 1.15),
        fontWeight: "600",
        fill: this.#art.color("ink.text"),
      },
    });
  }
}

function placeShape(kind: NodeType, size: number, color: string): Graphics {
  const shape = new Graphics();
  if (kind === "station") {
    return shape.roundRect(-size * 0.9, -size * 0.9, size * 1.8, size * 1.8, 3).fill(color);
  }
  if (kind === "hazard") {
    return shape.poly([0, -size * 1.1, size * 1.1, size * 0.85, -size * 1.1, size * 0.85]).fill(color);
  }
  return shape.circle(0, 0, size * 0.9).fill(color);
}
