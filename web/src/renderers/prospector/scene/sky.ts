import { Container, Sprite, Texture, TilingSprite } from "pixi.js";
import type { Art } from "../../scene/art";
import { dice } from "../../scene/dice";
import { lerp } from "../../scene/tween";

const FAR = 0.35;
const NEAR = 1;
const DRIFT_PX_PER_S = 5;
const GRADIENT_ROWS = 64;

/** Stars in two depths and faint planets; every place has its own, the same whenever it is visited. */
export class Sky {
  readonly view = new Container();
  readonly #back = new Sprite(Texture.WHITE);
  readonly #hazardBack = new Sprite(Texture.WHITE);
  readonly #far: TilingSprite;
  readonly #near: TilingSprite;
  readonly #planets: Sprite[];
  #offset = { x: 0, y: 0 };
  #goal = { x: 0, y: 0 };
  #hazard = 0;
  #size = { width: 1, height: 1 };
  #node = -1;

  constructor(art: Art) {
    this.#back.texture = gradient(art.color("sky.top"), art.color("sky.bottom"));
    this.#hazardBack.texture = gradient(art.color("sky.hazard.top"), art.color("sky.hazard.bottom"));
    this.#far = new TilingSprite({ texture: art.texture("bg.starfield.0"), width: 1, height: 1 });
    this.#near = new TilingSprite({ texture: art.texture("bg.starfield.1"), width: 1, height: 1 });
    this.#planets = ["bg.planet.0", "bg.planet.1"].map((key) => new Sprite({ texture: art.texture(key), anchor: 0.5 }));
    this.view.addChild(this.#back, this.#hazardBack, this.#far, ...this.#planets, this.#near);
  }

  resize(width: number, height: number): void {
    this.#size = { width, height };
    for (const layer of [this.#back, this.#hazardBack, this.#far, this.#near]) {
      layer.width = width;
      layer.height = height;
    }
    this.#arrangePlanets();
  }

  goTo(node: number, isHazard: boolean, heading: number, isInstant: boolean): void {
    this.#hazard = isHazard ? 1 : 0;
    if (node === this.#node) {
      return;
    }
    const isFirst = this.#node < 0;
    this.#node = node;
    this.#goal = { x: this.#goal.x - Math.cos(heading) * 420, y: this.#goal.y - Math.sin(heading) * 420 };
    if (isInstant || isFirst) {
      this.#offset = { ...this.#goal };
      this.#hazardBack.alpha = this.#hazard;
    }
    this.#arrangePlanets();
  }

  tick(elapsedMs: number): void {
    const share = 1 - Math.exp(-elapsedMs / 180);
    this.#goal.x -= (DRIFT_PX_PER_S * elapsedMs) / 1000;
    this.#offset = { x: lerp(this.#offset.x, this.#goal.x, share), y: lerp(this.#offset.y, this.#goal.y, share) };
    this.#hazardBack.alpha = lerp(this.#hazardBack.alpha, this.#hazard, share);
    this.settle();
  }

  /** Draws the sky where it is, without moving it. */
  settle(): void {
    this.#far.tilePosition.set(this.#offset.x * FAR, this.#offset.y * FAR);
    this.#near.tilePosition.set(this.#offset.x * NEAR, this.#offset.y * NEAR);
  }

  #arrangePlanets(): void {
    const roll = dice(this.#node + 1);
    const { width, height } = this.#size;
    const side = Math.min(width, height);
    this.#planets.forEach((planet, index) => {
      const isShown = roll() < (index === 0 ? 0.75 : 0.6);
      const atLeft = roll() < 0.5 === (index === 0);
      const size = side * lerp(0.16, 0.42, roll());
      planet.visible = isShown;
      planet.width = size;
      planet.height = size;
      planet.position.set(
        width * (atLeft ? lerp(0.02, 0.14, roll()) : lerp(0.86, 0.98, roll())),
        height * lerp(0.12, 0.6, roll()),
      );
      planet.rotation = (roll() - 0.5) * 0.9;
      planet.alpha = 0.62;
    });
  }
}

function gradient(top: string, bottom: string): Texture {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = GRADIENT_ROWS;
  const brush = canvas.getContext("2d");
  if (brush !== null) {
    const fill = brush.createLinearGradient(0, 0, 0, GRADIENT_ROWS);
    fill.addColorStop(0, top);
    fill.addColorStop(1, bottom);
    brush.fillStyle = fill;
    brush.fillRect(0, 0, 1, GRADIENT_ROWS);
  }
  return Texture.from(canvas);
}
