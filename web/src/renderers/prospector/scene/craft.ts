import { Container, Graphics, Sprite } from "pixi.js";
import type { Role } from "../../renderer";
import type { Art } from "../../scene/art";
import { easeOut, lerp, lerpAngle } from "../../scene/tween";

const SHIP_UNITS = 30;
const STATION_UNITS = 132;
const FLY_IN_UNITS = 70;

export interface CraftPose {
  /** Direction the nose points to, radians clockwise from the east. */
  heading: number;
  /** 0 out in the field .. 1 in the dock. */
  dock: number;
  /** 0 the step has just begun .. 1 it is over. */
  arrival: number;
  isArriving: boolean;
  /** 0..1 engine light. */
  thrust: number;
  isGone: boolean;
}

/** The ship with its engine, and the station it docks at. */
export class Craft {
  readonly view = new Container();
  readonly station: Sprite;
  readonly #stationGlow: Sprite;
  readonly #ship = new Container();
  readonly #flame = new Graphics();
  readonly #engineGlow: Sprite;
  readonly #shield: Sprite;
  #heading = -Math.PI / 2;

  constructor(art: Art, role: Role) {
    this.station = new Sprite({ texture: art.texture("entity.station"), anchor: 0.5 });
    this.station.setSize(STATION_UNITS);
    this.#stationGlow = new Sprite({
      texture: art.glow,
      anchor: 0.5,
      blendMode: "add",
      tint: art.color("line.shield"),
    });
    this.#stationGlow.setSize(STATION_UNITS * 1.9);
    this.#engineGlow = new Sprite({ texture: art.glow, anchor: 0.5, blendMode: "add", tint: art.color("flame.edge") });
    this.#engineGlow.position.set(0, SHIP_UNITS * 0.5);
    this.#shield = new Sprite({ texture: art.glow, anchor: 0.5, blendMode: "add", tint: art.color("line.shield") });
    this.#shield.setSize(SHIP_UNITS * 2.2);
    const hull = new Sprite({ texture: art.texture(`entity.ship.${role}`), anchor: 0.5 });
    hull.setSize(SHIP_UNITS);
    this.#ship.addChild(this.#engineGlow, this.#flame, hull, this.#shield);
    this.view.addChild(this.#stationGlow, this.station, this.#ship);
  }

  draw(pose: CraftPose, clockMs: number, isStill: boolean, escapeTicks: number): void {
    this.station.alpha = pose.dock;
    this.station.scale.set((STATION_UNITS / this.station.texture.width) * lerp(0.7, 1, pose.dock));
    this.#stationGlow.alpha = pose.dock * 0.3;
    if (!isStill) {
      this.station.rotation = clockMs / 24_000;
    }
    this.#heading = isStill ? pose.heading : lerpAngle(this.#heading, pose.heading, 0.16);
    const away = pose.isArriving ? (1 - easeOut(pose.arrival)) * FLY_IN_UNITS : 0;
    this.#ship.position.set(-Math.cos(pose.heading) * away, -Math.sin(pose.heading) * away);
    this.#ship.rotation = this.#heading + Math.PI / 2;
    this.#ship.scale.set(lerp(1, 0.82, pose.dock));
    this.#ship.alpha = pose.isGone ? 0.18 : 1;
    this.#shield.alpha = escapeTicks > 0 ? 0.35 : 0;
    this.#drawFlame(pose.thrust, clockMs, isStill);
  }

  #drawFlame(thrust: number, clockMs: number, isStill: boolean): void {
    const flicker = isStill ? 1 : 0.85 + 0.15 * Math.sin(clockMs / 33) * Math.cos(clockMs / 51);
    const length = (3 + 15 * thrust) * flicker;
    this.#engineGlow.alpha = 0.3 + 0.6 * thrust;
    this.#engineGlow.setSize(SHIP_UNITS * (0.5 + 0.9 * thrust));
    const flame = this.#flame.clear();
    const top = SHIP_UNITS * 0.43;
    for (const x of [-SHIP_UNITS * 0.11, SHIP_UNITS * 0.11]) {
      flame
        .moveTo(x - 1.7, top)
        .lineTo(x + 1.7, top)
        .lineTo(x, top + length)
        .fill({ color: 0xfb923c, alpha: 0.9 });
      flame
        .moveTo(x - 0.8, top)
        .lineTo(x + 0.8, top)
        .lineTo(x, top + length * 0.55)
        .fill({ color: 0xfff7ed, alpha: 0.95 });
    }
  }
}
