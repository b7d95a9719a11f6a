import { Container, Graphics, Sprite } from "pixi.js";
import type { Daylight } from "../daylight";
import { doingOf } from "../state";
import type { Furniture } from "./furniture";
import type { Sight } from "./sight";

/** Light needs at least this much darkness to be seen. */
const DUSK = 0.12;
/** What is left of red, green and blue at night, in an outage, and at dawn and dusk. */
const NIGHT = [0.34, 0.4, 0.66] as const;
const BLACKOUT = [0.72, 0.72, 0.82] as const;
const DAWN = [1, 0.86, 0.72] as const;
/** People are lit a little more than what is around them, so that faces can be read at night. */
const ON_FACES = 0.55;
const LAMP = { reach: 2.8, alpha: 0.55 } as const;
/** Share of the light of a room that falls out of its door. */
const DOORWAY = 0.35;
const ROOM = { alpha: 0.3, empty: 0.1 } as const;

type Rgb = readonly [number, number, number];

/** Night and day over the town: what everything is tinted with, and lamps and rooms that are lit while there is power. */
export class Light {
  readonly view = new Container();
  readonly #rooms = new Graphics({ blendMode: "add" });
  readonly #lamps = new Container();
  #lit = "";

  constructor() {
    this.view.addChild(this.#rooms, this.#lamps);
  }

  draw(sight: Sight, furniture: Furniture, folk: Container): void {
    const { daylight, state } = sight;
    const tint = tintOf(daylight, state.utilities.power);
    for (const layer of [furniture.ground, furniture.canopy, furniture.roofs]) {
      layer.tint = hex(tint);
    }
    folk.tint = hex(mix([1, 1, 1], tint, ON_FACES));
    const strength = state.utilities.power && daylight.darkness > DUSK ? daylight.darkness : 0;
    this.view.visible = strength > 0;
    this.#drawLamps(sight, furniture, strength);
    this.#drawRooms(sight, strength);
  }

  #drawLamps({ art }: Sight, { lamps }: Furniture, strength: number): void {
    const where = JSON.stringify(lamps);
    if (this.#lit !== where) {
      this.#lit = where;
      for (const child of this.#lamps.removeChildren()) {
        child.destroy();
      }
      for (const { x, y } of lamps) {
        const glow = new Sprite({ texture: art.glow, anchor: 0.5, tint: art.color("light.lamp"), blendMode: "add" });
        glow.position.set(x, y - 0.7);
        glow.setSize(LAMP.reach * 2);
        this.#lamps.addChild(glow);
      }
    }
    this.#lamps.alpha = strength * LAMP.alpha;
  }

  /** Rooms in which somebody is awake are bright; light falls out of their doors. */
  #drawRooms({ state, art }: Sight, strength: number): void {
    this.#rooms.clear();
    const color = art.color("light.window");
    for (const { rect, door } of state.map.zones) {
      const [x0, y0, x1, y1] = rect;
      const isLit = state.citizens.some(
        (citizen) =>
          citizen.at[0] >= x0 &&
          citizen.at[0] <= x1 &&
          citizen.at[1] >= y0 &&
          citizen.at[1] <= y1 &&
          doingOf(state, citizen) !== "rest_sleep",
      );
      if (door !== null) {
        const alpha = strength * (isLit ? ROOM.alpha : ROOM.empty);
        this.#rooms
          .rect(x0 + 0.36, y0 + 0.36, x1 - x0 + 0.28, y1 - y0 - 0.1)
          .fill({ color, alpha })
          .ellipse(door[0] + 0.5, door[1] + (door[1] === y0 ? -0.3 : 1.3), 1, 0.7)
          .fill({ color, alpha: alpha * DOORWAY });
      }
    }
  }
}

/** Returns what everything is multiplied with, part by part. */
export function tintOf({ darkness, glow }: Daylight, hasPower: boolean): Rgb {
  const lit = mix(mix([1, 1, 1], NIGHT, darkness), DAWN, glow);
  return hasPower ? lit : [lit[0] * BLACKOUT[0], lit[1] * BLACKOUT[1], lit[2] * BLACKOUT[2]];
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (place: 0 | 1 | 2) => from[place] + (to[place] - from[place]) * share;
  return [part(0), part(1), part(2)];
}

function hex(color: Rgb): number {
  const [red, green, blue] = color.map((part) => Math.round(Math.min(1, part) * 255));
  return ((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0);
}
