import { Container, Sprite, type Texture } from "pixi.js";
import type { Labels } from "../../scene/labels";
import { type CitizenState, doingOf } from "../state";
import { placeName } from "../words";
import { headOf, type Sight, toScreen } from "./sight";

const ICON_PX = 17;
/** Somebody with a need below this is in danger. */
const DANGER = 0.2;
/** Names of places are left out where tiles are smaller than this. */
const LEAST_TILE_PX = 9;

/** Names of places and people, and a small sign of what everybody is about. */
export class Badges {
  readonly view = new Container();
  readonly #pool: Sprite[] = [];
  #used = 0;

  draw(sight: Sight, labels: Labels): void {
    this.#used = 0;
    const { state, subject } = sight;
    for (const citizen of [...state.citizens].sort((one) => (one === subject ? -1 : 1))) {
      this.#citizen(sight, citizen, labels);
    }
    this.#places(sight, labels);
    for (const sprite of this.#pool.slice(this.#used)) {
      sprite.visible = false;
    }
  }

  #citizen(sight: Sight, citizen: CitizenState, labels: Labels): void {
    const { state, art, subject, look } = sight;
    const [head, stand] = [headOf(sight, citizen.seat), sight.stands.get(citizen.seat)];
    if (head === null || stand === undefined) {
      return;
    }
    const foot = toScreen(sight, stand.x, stand.y);
    const isOwn = citizen.seat === state.seat;
    const color = isOwn ? "#ffe066" : citizen === subject ? "#ffffff" : "#eef3fa";
    labels.putIfFree(citizen.name, foot.x, foot.y + 2, { color, anchor: 0.5, size: citizen === subject ? 12 : 11 });
    const isAsleep = doingOf(state, citizen) === "rest_sleep";
    const picture = isAsleep
      ? "vfx.zzz"
      : Math.min(...citizen.needs) < DANGER
        ? "vfx.alert"
        : citizen.option === "Idle"
          ? null
          : `icon.option.${snake(citizen.option)}`;
    if (picture !== null) {
      const side = Math.max(ICON_PX, look.camera.scale * 0.55);
      this.#put(art.texture(picture), head.x + side * 0.75, head.y + side * 0.15, side);
    }
    const place = state.things.find(({ object }) => object === citizen.waits)?.queue?.indexOf(citizen.seat) ?? -1;
    if (place >= 0) {
      labels.put(`${place + 1}`, head.x - 14, head.y - 4, { color: "#ffb347", size: 12, anchor: 0.5 });
    }
  }

  /** Names stand over the eaves of buildings, and in the middle of open zones. */
  #places(sight: Sight, labels: Labels): void {
    const { scale } = sight.look.camera;
    if (scale < LEAST_TILE_PX) {
      return;
    }
    for (const { id, rect, door } of sight.state.map.zones) {
      const [x0, y0, x1] = rect;
      const at = toScreen(sight, (x0 + x1 + 1) / 2, door === null ? y0 + 0.15 : y0 - 0.12);
      const isDoorAbove = door !== null && door[1] === y0;
      const dx = isDoorAbove ? -((x1 - x0) / 4) * scale : 0;
      labels.putIfFree(placeName(id), at.x + dx, at.y - 4, { color: "#fff4dc", anchor: 0.5, size: 11, alpha: 0.92 });
    }
  }

  #put(texture: Texture, x: number, y: number, side: number): void {
    const sprite = this.#pool[this.#used] ?? this.#make();
    this.#used += 1;
    sprite.texture = texture;
    sprite.position.set(x, y);
    sprite.setSize(side);
    sprite.visible = true;
  }

  #make(): Sprite {
    const sprite = new Sprite({ anchor: 0.5 });
    this.#pool.push(sprite);
    this.view.addChild(sprite);
    return sprite;
  }
}

/** Returns `GetFed` as get_fed. */
function snake(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
