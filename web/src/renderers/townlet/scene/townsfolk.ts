import { Container, Graphics, Sprite } from "pixi.js";
import type { Art } from "../../scene/art";
import { moodOf } from "../mood";
import type { CitizenState } from "../state";
import type { Sight, Stand } from "./sight";

const COLORS = 10;
const SKINS = 5;
const HAIRS = 6;
const CUTS = 4;
const HOP = 0.1;
const HOPS_PER_TILE = 2;

/** Color of somebody's clothes, by number rather than seat, so that newcomers look new. */
function clothColor(art: Art, citizen: Pick<CitizenState, "id" | "seat">): string {
  return art.color(`citizen.${numberOf(citizen) % COLORS}`);
}

function numberOf({ id, seat }: Pick<CitizenState, "id" | "seat">): number {
  const digits = id.match(/\d+$/)?.[0];
  return digits === undefined ? seat : Number(digits);
}

/** One citizen: a shadow, a body, a head with hair, and a face that shows the mood. */
class Figure {
  readonly view = new Container();
  readonly #ring = new Graphics();
  readonly #parts = new Container();
  readonly #face = new Sprite({ anchor: { x: 0.5, y: 1 } });

  constructor(art: Art, citizen: CitizenState) {
    const number = numberOf(citizen);
    const part = (key: string, tint: string) =>
      new Sprite({ texture: art.texture(`entity.citizen.${key}`), anchor: { x: 0.5, y: 1 }, tint });
    const shadow = new Sprite({ texture: art.glow, anchor: 0.5, tint: "#10121c", alpha: 0.55 });
    shadow.setSize(0.95, 0.42);
    const hair = `hair_${(number * 7 + 1) % CUTS}`;
    this.#parts.addChild(
      part("body", clothColor(art, citizen)),
      part("head", art.color(`skin.${(number * 3) % SKINS}`)),
      part(hair, art.color(`hair.${(number * 5 + 2) % HAIRS}`)),
      this.#face,
    );
    for (const sprite of this.#parts.children) {
      sprite.scale.set(1 / 64);
    }
    this.view.addChild(shadow, this.#ring, this.#parts);
  }

  draw(sight: Sight, citizen: CitizenState, stand: Stand): void {
    const { art, look, person, subject, state } = sight;
    this.#face.texture = art.texture(`entity.face.${moodOf(state, citizen)}`);
    this.#face.scale.set(1 / 64);
    this.view.position.set(stand.x, stand.y);
    this.view.scale.set(person / 1.05);
    this.view.zIndex = stand.y;
    const step = stand.isWalking ? Math.abs(Math.sin(look.share * Math.PI * HOPS_PER_TILE)) : 0;
    this.#parts.position.y = 0.06 - step * HOP;
    if (stand.facing !== 0) {
      this.#parts.scale.x = stand.facing;
    }
    this.#ring.clear();
    if (citizen === subject) {
      const color = citizen.seat === state.seat ? "#ffe066" : "#ffffff";
      this.#ring.ellipse(0, 0.02, 0.48, 0.22).fill({ color, alpha: 0.35 }).stroke({ width: 0.06, color });
    }
  }
}

/** Everybody who lives in town; who stands farther north stands behind. */
export class Townsfolk {
  readonly view = new Container({ sortableChildren: true });
  readonly #figures = new Map<string, Figure>();

  draw(sight: Sight): void {
    const gone = new Set(this.#figures.keys());
    for (const citizen of sight.state.citizens) {
      const stand = sight.stands.get(citizen.seat);
      if (stand !== undefined) {
        gone.delete(citizen.id);
        this.#figureOf(sight.art, citizen).draw(sight, citizen, stand);
      }
    }
    for (const id of gone) {
      this.#figures.get(id)?.view.destroy({ children: true });
      this.#figures.delete(id);
    }
  }

  #figureOf(art: Art, citizen: CitizenState): Figure {
    const known = this.#figures.get(citizen.id);
    if (known !== undefined) {
      return known;
    }
    const figure = new Figure(art, citizen);
    this.#figures.set(citizen.id, figure);
    this.view.addChild(figure.view);
    return figure;
  }
}
