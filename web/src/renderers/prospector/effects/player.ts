import { Container, Graphics, Sprite } from "pixi.js";
import type { Art } from "../../scene/art";
import { dice } from "../../scene/dice";
import { easeOut } from "../../scene/tween";
import { type EffectKind, type EffectPlace, fade, type Glyph } from "./effect";
import { EFFECT_KINDS } from "./kinds";

/** Share of its life at which an effect is shown when nothing may move. */
const STILL_SHARE = 0.35;
const ABOVE_UNITS = -34;
/** Glyphs over the ship stand side by side when a step has several. */
const SIDE_UNITS = 26;
const ROLLS = 1024;

interface Playing {
  kind: EffectKind;
  place: EffectPlace;
  ageMs: number;
  sprite: Sprite | null;
  shift: number;
}

/** Plays the effects of the present step; those of the step before make room for them. */
export class EffectPlayer {
  readonly view = new Container();
  readonly #canvas = new Graphics({ blendMode: "add" });
  readonly #art: Art;
  #playing: Playing[] = [];

  constructor(art: Art) {
    this.#art = art;
    this.view.addChild(this.#canvas);
  }

  /** Starts the effects of a step, each kind once. */
  start(keys: readonly string[], place: Omit<EffectPlace, "roll" | "color">, seed: number): void {
    this.clear();
    const next = dice(seed);
    const rolls = Array.from({ length: ROLLS }, next);
    const full: EffectPlace = {
      ...place,
      color: (key) => this.#art.color(key),
      roll: (index) => rolls[index % ROLLS] ?? 0,
    };
    let above = 0;
    for (const key of new Set(keys)) {
      const kind = EFFECT_KINDS[key];
      if (kind !== undefined) {
        const shift = kind.glyph?.at === "above" ? above++ * SIDE_UNITS : 0;
        this.#playing.push({ kind, place: full, ageMs: 0, sprite: this.#sprite(key, kind.glyph), shift });
      }
    }
    const spread = ((above - 1) * SIDE_UNITS) / 2;
    for (const effect of this.#playing.filter(({ kind }) => kind.glyph?.at === "above")) {
      effect.shift -= Math.max(0, spread);
    }
  }

  tick(elapsedMs: number): void {
    this.#canvas.clear();
    this.#playing = this.#playing.filter((effect) => {
      effect.ageMs += elapsedMs;
      if (effect.ageMs >= effect.kind.ms) {
        effect.sprite?.destroy();
        return false;
      }
      this.#draw(effect, effect.ageMs / effect.kind.ms);
      return true;
    });
  }

  /** Draws every effect once at a telling moment and leaves it there. */
  freeze(): void {
    this.#canvas.clear();
    for (const effect of this.#playing) {
      this.#draw(effect, STILL_SHARE);
    }
  }

  clear(): void {
    this.#canvas.clear();
    for (const effect of this.#playing) {
      effect.sprite?.destroy();
    }
    this.#playing = [];
  }

  #sprite(key: string, glyph: Glyph | undefined): Sprite | null {
    if (glyph === undefined) {
      return null;
    }
    const sprite = new Sprite({ texture: this.#art.texture(key), anchor: 0.5 });
    this.view.addChild(sprite);
    return sprite;
  }

  #draw({ kind, place, sprite, shift }: Playing, share: number): void {
    kind.draw(this.#canvas, place, share);
    const glyph = kind.glyph;
    if (sprite === null || glyph === undefined) {
      return;
    }
    const base = glyph.at === "target" ? place.target : { x: shift, y: glyph.at === "above" ? ABOVE_UNITS : 0 };
    sprite.position.set(base.x, base.y - (glyph.rise ?? 0) * easeOut(share));
    sprite.rotation = (glyph.spin ?? 0) * share;
    sprite.setSize(glyph.units * (1 + (glyph.grow ?? 0) * share) * Math.min(1, 0.5 + share * 4));
    sprite.alpha = fade(share) ** 0.6;
  }
}
