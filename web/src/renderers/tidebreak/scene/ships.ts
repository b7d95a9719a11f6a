import { Container, Graphics, Sprite } from "pixi.js";
import type { Labels } from "../../scene/labels";
import { isPresent, isSunk, type UnitState } from "../state";
import { shipName } from "../words";
import { layerRing } from "./rings";
import { placeOf, type Sight, shipPixels } from "./sight";

const ICON_PX = 15;
/** More ships than this are named only where there is room for names. */
const MANY_SHIPS = 14;
const ROOM_PX_PER_KM = 90;
const LOW = 0.25;
const UNCLASSED: Readonly<Record<UnitState["kind"], string>> = {
  SHIP: "entity.ship.frigate",
  PLATFORM: "entity.ship.station",
  SQUADRON: "entity.ship.squadron",
};

/** Ships by class and heading, with the ring of their depth, their health and what is wrong with them. */
export class Ships {
  readonly view = new Container();
  readonly #rings = new Graphics();
  readonly #bars = new Graphics();
  readonly #hulls = new Container();
  readonly #icons = new Container();
  readonly #sprites = new Map<number, Sprite>();
  readonly #iconPool: Sprite[] = [];
  #iconsUsed = 0;

  constructor() {
    this.view.addChild(this.#rings, this.#hulls, this.#bars, this.#icons);
  }

  draw(sight: Sight, labels: Labels): void {
    this.#rings.clear();
    this.#bars.clear();
    this.#iconsUsed = 0;
    const shown = new Set<number>();
    const hasRoom = sight.knowledge.units.length <= MANY_SHIPS || sight.camera.scale * 1000 > ROOM_PX_PER_KM;
    // Ships with a seat come first, so that their names are written if not all can be.
    for (const unit of sight.knowledge.units.toSorted(
      (one, other) => (one.seat ?? MANY_SHIPS) - (other.seat ?? MANY_SHIPS),
    )) {
      if (isPresent(unit) || isSunk(unit)) {
        shown.add(unit.id);
        this.#drawShip(sight, unit, hasRoom ? labels : null);
      }
    }
    for (const [id, sprite] of this.#sprites) {
      sprite.visible = shown.has(id);
    }
    for (const icon of this.#iconPool.slice(this.#iconsUsed)) {
      icon.visible = false;
    }
  }

  #drawShip(sight: Sight, unit: UnitState, labels: Labels | null): void {
    const place = placeOf(sight, unit);
    const at = sight.camera.toScreen(place);
    const size = shipPixels(sight, unit);
    const color = sight.teamColor(unit.team);
    const sprite = this.#sprite(unit.id);
    const isWreck = isSunk(unit);
    sprite.texture = isWreck
      ? sight.art.texture("entity.wreck")
      : // A package may describe a hull of no class.
        sight.art.texture(`entity.ship.${unit.class}`, UNCLASSED[unit.kind]);
    sprite.tint = isWreck ? "#b6c2cc" : color;
    // Deeper ships are dimmer.
    sprite.alpha = isWreck ? 0.55 : 1 - 0.22 * unit.layer;
    sprite.position.set(at.x, at.y);
    // Sprites point up; headings count from east, against the clock.
    sprite.rotation = Math.PI / 2 - place.heading;
    sprite.setSize(size * 1.15);
    if (isWreck) {
      return;
    }
    const radius = size * 0.55 + 4;
    layerRing(this.#rings, at, radius, unit.layer, { width: unit.seat === null ? 1.3 : 2.4, color, alpha: 0.9 });
    if (unit.mode !== 0) {
      this.#rings
        .moveTo(at.x, at.y - radius - 4)
        .arc(at.x, at.y, radius + 4, -Math.PI / 2, -Math.PI / 2 + unit.progress * 2 * Math.PI)
        .stroke({ width: 2.5, color: sight.art.color("line.transit") });
    }
    this.#drawHealth(sight, unit, at.x, at.y + radius + 5);
    this.#drawIcons(sight, unit, at.x + radius + 5, at.y - ICON_PX / 2);
    labels?.putIfFree(shipName(unit), at.x, at.y + radius + 11, { anchor: 0.5, color });
  }

  #drawHealth(sight: Sight, unit: UnitState, x: number, y: number): void {
    const width = 34;
    const tone = unit.hp > 0.6 ? "health.good" : unit.hp > 0.3 ? "health.fair" : "health.bad";
    this.#bars.rect(x - width / 2, y, width, 4).fill({ color: "#04121f", alpha: 0.75 });
    this.#bars.rect(x - width / 2, y, width * Math.max(0, unit.hp), 4).fill(sight.art.color(tone));
  }

  #drawIcons(sight: Sight, unit: UnitState, x: number, y: number): void {
    iconsOf(unit).forEach((key, place) => {
      const icon = this.#icon();
      icon.texture = sight.art.texture(key);
      icon.position.set(x + place * (ICON_PX + 1), y);
      icon.setSize(ICON_PX);
    });
  }

  #sprite(id: number): Sprite {
    const known = this.#sprites.get(id);
    if (known !== undefined) {
      return known;
    }
    const sprite = new Sprite({ anchor: 0.5 });
    this.#sprites.set(id, sprite);
    this.#hulls.addChild(sprite);
    return sprite;
  }

  #icon(): Sprite {
    const icon = this.#iconPool[this.#iconsUsed] ?? new Sprite();
    if (this.#iconsUsed === this.#iconPool.length) {
      this.#iconPool.push(icon);
      this.#icons.addChild(icon);
    }
    this.#iconsUsed += 1;
    icon.visible = true;
    return icon;
  }
}

/** What is wrong with a ship, as keys of icons, worst first. */
export function iconsOf({ status, systems, fire, flood }: UnitState): string[] {
  const has = (name: string) => status.includes(name);
  return [
    ...(has("SURRENDERED") ? ["icon.status.surrendered"] : []),
    ...(has("CAPTURED") ? ["icon.status.captured"] : []),
    ...(has("DISABLED") ? ["icon.status.disabled"] : []),
    ...(has("GROUNDED") ? ["icon.status.grounded"] : []),
    ...(fire > 0.05 ? ["icon.status.fire"] : []),
    ...(flood > 0.05 ? ["icon.status.flood"] : []),
    ...((systems[0] ?? 1) < LOW ? ["icon.status.propulsion"] : []),
    ...((systems[1] ?? 1) < LOW ? ["icon.status.weapons"] : []),
    ...((systems[2] ?? 1) < LOW ? ["icon.status.sensors"] : []),
  ];
}
