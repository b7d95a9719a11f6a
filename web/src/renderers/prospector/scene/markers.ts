import { Container, Graphics, Sprite } from "pixi.js";
import type { Art } from "../../scene/art";
import type { ProspectorState } from "../state";

const ALERT_SHOWN = 70;
const HULL_LOW = 25;
const HEAT_HIGH = 85;
const FUEL_LOW = 100;
const WARNING_EVENTS = ["invalid_action", "pirate_encounter", "overheat_tick", "fracture", "destroyed", "stranded"];

export function isHunted(state: ProspectorState, events: readonly string[]): boolean {
  return events.includes("pirate_encounter") || state.ship.alert >= ALERT_SHOWN;
}

/** Whether the pilot should worry. */
export function isWarning(state: ProspectorState, events: readonly string[]): boolean {
  const { hull, heat, fuel } = state.ship;
  return (
    hull <= HULL_LOW || heat >= HEAT_HIGH || fuel <= FUEL_LOW || events.some((name) => WARNING_EVENTS.includes(name))
  );
}

export function hazardMarkSize(width: number, height: number): number {
  return Math.max(30, Math.min(width, height) * 0.085);
}

/** Hazard fog, hazard and pirate markers, and the red border. */
export class Markers {
  /** In units, under the rocks. */
  readonly fog = new Container();
  /** In pixels, over everything. */
  readonly view = new Container();
  readonly #hazard: Sprite;
  readonly #pirate: Sprite;
  readonly #zone = new Graphics();
  readonly #border = new Graphics();
  readonly #art: Art;
  #size = "";

  constructor(art: Art) {
    this.#art = art;
    this.#hazard = new Sprite({ texture: art.texture("entity.hazard.radiation"), anchor: 0.5 });
    this.#pirate = new Sprite({ texture: art.texture("entity.pirate.marker"), anchor: 0.5 });
    const clouds = [0, 1, 2].map((index) => {
      const cloud = new Sprite({
        texture: art.glow,
        anchor: 0.5,
        blendMode: "add",
        tint: index === 1 ? 0x9a3412 : 0xb45309,
      });
      cloud.setSize(190 + 60 * index);
      cloud.position.set(Math.cos(index * 2.1) * 60, Math.sin(index * 2.1) * 40);
      cloud.alpha = 0.16;
      return cloud;
    });
    for (let dash = 0; dash < 40; dash += 1) {
      const start = (dash * Math.PI * 2) / 40;
      this.#zone.moveTo(Math.cos(start) * 121, Math.sin(start) * 121).arc(0, 0, 121, start, start + 0.07);
    }
    this.#zone.stroke({ width: 1.2, color: 0xfbbf24, alpha: 0.45 });
    this.fog.addChild(...clouds, this.#zone);
    this.view.addChild(this.#border, this.#hazard, this.#pirate);
  }

  draw(
    state: ProspectorState,
    events: readonly string[],
    width: number,
    height: number,
    clockMs: number,
    isStill: boolean,
  ): void {
    const beat = isStill ? 1 : 0.5 + 0.5 * Math.sin(clockMs / 240);
    const isHazard = state.node.type === "hazard";
    this.fog.visible = isHazard;
    this.#zone.rotation = isStill ? 0 : clockMs / 9000;
    const size = hazardMarkSize(width, height);
    this.#hazard.visible = isHazard;
    this.#hazard.setSize(size);
    this.#hazard.position.set(size * 0.8, height - size * 0.8);
    this.#pirate.visible = isHunted(state, events);
    this.#pirate.setSize(size * (events.includes("pirate_encounter") ? 1.5 + 0.12 * beat : 1 + 0.06 * beat));
    this.#pirate.position.set(width - size * 1.1, size * 1.1);
    this.#pirate.alpha = events.includes("pirate_encounter") ? 1 : 0.75 + 0.25 * beat;
    this.#border.visible = isWarning(state, events);
    this.#border.alpha = 0.55 + 0.45 * beat;
    this.#fitBorder(width, height);
  }

  #fitBorder(width: number, height: number): void {
    if (this.#size !== `${width} ${height}`) {
      this.#size = `${width} ${height}`;
      this.#border
        .clear()
        .rect(1.5, 1.5, width - 3, height - 3)
        .stroke({ width: 3, color: this.#art.color("line.warning") });
    }
  }
}
