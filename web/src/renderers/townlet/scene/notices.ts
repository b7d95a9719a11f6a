import { Container, Graphics, Sprite, Text } from "pixi.js";
import type { Art } from "../../scene/art";
import { befallsWords } from "../describe";
import type { PerturbationState } from "../state";
import { clock } from "../words";
import { type Sight, toScreen } from "./sight";

const HEIGHT_PX = 28;
const GAP_PX = 10;
const PAD_PX = 11;
const PICTURES: Readonly<Record<PerturbationState["kind"], string>> = {
  blackout: "vfx.blackout",
  outage: "vfx.outage",
  price_spike: "vfx.prices",
  arranged_meet: "vfx.meeting",
};

/** A line of words on a dark plate, with a picture before it. */
class Plate {
  readonly view = new Container();
  readonly #back = new Graphics();
  readonly #icon = new Sprite({ anchor: 0.5 });
  readonly #words = new Text({
    text: "",
    anchor: { x: 0, y: 0.5 },
    style: { fontFamily: "Inter, system-ui", fontSize: 12.5, fontWeight: "600", fill: "#ffffff" },
  });

  constructor() {
    this.view.addChild(this.#back, this.#icon, this.#words);
  }

  /** Writes; returns how wide it is. */
  write(text: string, icon: Sprite["texture"] | null, edge: string): number {
    if (this.#words.text !== text) {
      this.#words.text = text;
    }
    this.#icon.visible = icon !== null;
    const left = PAD_PX + (icon === null ? 0 : 22);
    if (icon !== null) {
      this.#icon.texture = icon;
      this.#icon.position.set(PAD_PX + 7, HEIGHT_PX / 2);
      this.#icon.setSize(21);
    }
    this.#words.position.set(left, HEIGHT_PX / 2);
    const width = left + this.#words.width + PAD_PX;
    this.#back
      .clear()
      .roundRect(0, 0, width, HEIGHT_PX, HEIGHT_PX / 2)
      .fill({ color: "#151a28", alpha: 0.86 })
      .stroke({ width: 1.2, color: edge, alpha: 0.9 });
    return width;
  }
}

/** The clock of the town, and what befalls it: on plates in the lower corners, and over the places it concerns. */
export class Notices {
  readonly view = new Container();
  readonly #art: Art;
  readonly #sky = new Graphics();
  readonly #clock = new Plate();
  readonly #plates: Plate[] = [];
  readonly #tags: Sprite[] = [];

  constructor(art: Art) {
    this.#art = art;
    this.#clock.view.addChild(this.#sky);
    this.view.addChild(this.#clock.view);
  }

  draw(sight: Sight): void {
    const { state, look } = sight;
    const bottom = look.height - GAP_PX - HEIGHT_PX;
    const time = `      Day ${state.day + 1} · ${clock(state.tod, state.ticks_per_day)}`;
    const width = this.#clock.write(time, null, "#8fa3c4");
    this.#clock.view.position.set(Math.round(look.width - width - GAP_PX), bottom);
    this.#drawSky(sight);
    state.perturbations.forEach((event, place) => {
      const plate = this.#plates[place] ?? this.#newPlate();
      const left = event.ends_at === null ? "" : ` · ${Math.max(0, event.ends_at - state.time)} ticks left`;
      plate.write(`${befallsWords(state, event)}${left}`, this.#art.texture(PICTURES[event.kind]), "#ffd166");
      plate.view.position.set(GAP_PX, bottom - place * (HEIGHT_PX + 6));
      plate.view.visible = true;
    });
    for (const plate of this.#plates.slice(state.perturbations.length)) {
      plate.view.visible = false;
    }
    this.#tag(sight);
  }

  /** The sun or the moon on its way from left to right. */
  #drawSky({ state, daylight }: Sight): void {
    const share = state.tod / state.ticks_per_day;
    const [x, y] = [PAD_PX + 8, HEIGHT_PX / 2];
    this.#sky.clear();
    if (daylight.darkness > 0.5) {
      this.#sky
        .circle(x, y, 7)
        .fill("#e9edff")
        .circle(x + 3.5, y - 2, 6)
        .fill("#151a28");
      return;
    }
    for (let ray = 0; ray < 8; ray += 1) {
      const angle = (ray / 8 + share) * Math.PI * 2;
      this.#sky
        .moveTo(x + Math.cos(angle) * 6.5, y + Math.sin(angle) * 6.5)
        .lineTo(x + Math.cos(angle) * 9, y + Math.sin(angle) * 9);
    }
    this.#sky.stroke({ width: 1.8, color: "#ffd166" }).circle(x, y, 5).fill("#ffd166");
  }

  /** Signs over the places an event concerns: shops with higher prices, showers without water, where people meet. */
  #tag(sight: Sight): void {
    const { state, look } = sight;
    const tags = state.perturbations.flatMap((event) =>
      placesOf(sight, event).map(([x, y]) => ({ x, y, picture: PICTURES[event.kind] })),
    );
    tags.forEach(({ x, y, picture }, place) => {
      const sprite = this.#tags[place] ?? this.#newTag();
      const beside = tags.slice(0, place).filter((one) => one.x === x && one.y === y).length;
      const at = toScreen(sight, x + beside * 1.4, y);
      const sway = look.view.reducedMotion ? 0 : Math.sin(look.clockMs / 420 + place) * 2.5;
      sprite.texture = this.#art.texture(picture);
      sprite.position.set(at.x, at.y + sway);
      sprite.setSize(Math.max(22, look.camera.scale * 1.2));
      sprite.visible = true;
    });
    for (const sprite of this.#tags.slice(tags.length)) {
      sprite.visible = false;
    }
  }

  #newPlate(): Plate {
    const plate = new Plate();
    this.#plates.push(plate);
    this.view.addChild(plate.view);
    return plate;
  }

  #newTag(): Sprite {
    const sprite = new Sprite({ anchor: 0.5 });
    this.#tags.push(sprite);
    this.view.addChildAt(sprite, 0);
    return sprite;
  }
}

/** Which type of object sells what a price is for. */
const SOLD_AT: Readonly<Record<string, string>> = {
  meal_cost: "fridge",
  ingredients_cost: "till",
  shower_cost: "shower",
};

function placesOf({ state }: Sight, event: PerturbationState): (readonly [number, number])[] {
  const zone = state.map.zones[event.zone ?? -1];
  const middle = ([x0, y0, x1]: readonly number[]) => [((x0 ?? 0) + (x1 ?? 0) + 1) / 2, (y0 ?? 0) - 0.9] as const;
  const isHome = (index: number) => state.citizens.some(({ home }) => home === index);
  switch (event.kind) {
    case "arranged_meet":
      return zone === undefined ? [] : [middle(zone.rect)];
    case "price_spike": {
      const types = new Set(event.prices.map((key) => SOLD_AT[key]));
      const zones = new Set(state.map.objects.filter(([, type]) => types.has(type)).map((row) => row[2]));
      return [...zones]
        .filter((index) => !isHome(index))
        .flatMap((index) => {
          const shop = state.map.zones[index];
          return shop === undefined ? [] : [middle(shop.rect)];
        });
    }
    case "outage":
      return state.map.objects.filter(([, type]) => type === "shower").map((row) => [row[3] + 0.5, row[4]]);
    default:
      return [];
  }
}
