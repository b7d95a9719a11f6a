import { Container, Graphics, Sprite } from "pixi.js";
import type { Point } from "../../geometry";
import type { MunitionState } from "../state";
import { placeOf, type Sight } from "./sight";

const TRAIL_LENGTH = 14;
const SIZES_PX: Readonly<Record<MunitionState["kind"], number>> = {
  SALVO: 9,
  TORPEDO: 17,
  MISSILE: 18,
  CHARGE: 12,
  MINE: 15,
  DECOY: 15,
};
/** Whatever lies still leaves no trail. */
const STILL = new Set<MunitionState["kind"]>(["MINE", "DECOY", "CHARGE", "SALVO"]);

/** Weapons in flight with the way they came, salvos with where they will fall. */
export class Munitions {
  readonly view = new Container();
  readonly #trails = new Graphics();
  readonly #bodies = new Container();
  readonly #sprites = new Map<number, Sprite>();
  readonly #paths = new Map<number, Point[]>();

  constructor() {
    this.view.addChild(this.#trails, this.#bodies);
  }

  /** Notes where everything is in the moment that is shown now; `isNext` if it follows the one shown before. */
  follow(munitions: readonly MunitionState[], isNext: boolean): void {
    if (!isNext) {
      this.#paths.clear();
    }
    for (const { id, x, y, kind } of munitions) {
      if (!STILL.has(kind)) {
        const path = this.#paths.get(id) ?? [];
        path.push({ x, y });
        this.#paths.set(id, path.slice(-TRAIL_LENGTH));
      }
    }
  }

  draw(sight: Sight): void {
    this.#trails.clear();
    const shown = new Set<number>();
    for (const munition of sight.knowledge.munitions) {
      shown.add(munition.id);
      this.#drawOne(sight, munition);
    }
    for (const [id, sprite] of this.#sprites) {
      if (!shown.has(id)) {
        sprite.destroy();
        this.#sprites.delete(id);
        this.#paths.delete(id);
      }
    }
  }

  #drawOne(sight: Sight, munition: MunitionState): void {
    const color = sight.teamColor(munition.team);
    const place = munition.kind === "SALVO" ? salvoPlace(munition) : placeOf(sight, munition);
    const at = sight.camera.toScreen(place);
    if (munition.kind === "SALVO") {
      this.#drawFall(sight, munition, color);
    } else {
      this.#drawTrail(sight, munition.id, at, color);
    }
    const sprite = this.#sprite(munition.id);
    sprite.texture = sight.art.texture(`entity.munition.${munition.kind.toLowerCase()}`);
    sprite.tint = color;
    sprite.position.set(at.x, at.y);
    sprite.rotation = STILL.has(munition.kind) && munition.kind !== "SALVO" ? 0 : Math.PI / 2 - place.heading;
    sprite.alpha = munition.kind === "MINE" && !munition.armed ? 0.5 : 1;
    sprite.setSize(SIZES_PX[munition.kind]);
  }

  #drawTrail(sight: Sight, id: number, head: Point, color: string): void {
    const path = (this.#paths.get(id) ?? []).slice(0, -1).map((place) => sight.camera.toScreen(place));
    [...path, head].forEach((to, step, all) => {
      const from = all[step - 1];
      if (from !== undefined) {
        this.#trails
          .moveTo(from.x, from.y)
          .lineTo(to.x, to.y)
          .stroke({ width: 2.2, color, alpha: 0.75 * (step / all.length) });
      }
    });
  }

  #drawFall(sight: Sight, { x, y, aim }: MunitionState, color: string): void {
    const [from, to] = [sight.camera.toScreen({ x, y }), sight.camera.toScreen({ x: aim[0], y: aim[1] })];
    this.#trails.moveTo(from.x, from.y).lineTo(to.x, to.y).stroke({ width: 1, color, alpha: 0.22 });
    this.#trails.circle(to.x, to.y, 4).stroke({ width: 1.2, color, alpha: 0.7 });
  }

  #sprite(id: number): Sprite {
    const known = this.#sprites.get(id);
    if (known !== undefined) {
      return known;
    }
    const sprite = new Sprite({ anchor: 0.5 });
    this.#sprites.set(id, sprite);
    this.#bodies.addChild(sprite);
    return sprite;
  }
}

/** A salvo stands where it was fired until it lands; on screen it flies. */
export function salvoPlace({ x, y, h, aim, speed, remaining }: MunitionState): Point & { heading: number } {
  const whole = Math.hypot(aim[0] - x, aim[1] - y);
  const flown = whole === 0 ? 1 : Math.min(1, Math.max(0, 1 - (remaining * speed) / whole));
  const heading = whole === 0 ? h : Math.atan2(aim[1] - y, aim[0] - x);
  return { x: x + (aim[0] - x) * flown, y: y + (aim[1] - y) * flown, heading };
}
