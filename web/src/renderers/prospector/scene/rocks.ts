import { Container, Graphics, Sprite, Text } from "pixi.js";
import type { Art } from "../../scene/art";
import { dice } from "../../scene/dice";
import { asteroidAngle, asteroidPlace, ROCK_RADIUS, rockSize } from "../layout";
import type { Motion } from "../motion";
import { type AsteroidState, COMMODITIES, likeliestCommodity } from "../state";

const UNKNOWN_TINT = 0xb3aab0;
/** How much of a scan it takes to see a rock in the color of what it holds. */
const TINTED_FROM = 0.12;

/** One asteroid: sprite by what is left, ring of what is believed to be in it, marks of selection and field. */
export class Rock {
  readonly view = new Container();
  readonly label: Text;
  #state: AsteroidState;
  readonly #art: Art;
  readonly #halo: Sprite;
  readonly #body = new Sprite({ anchor: 0.5 });
  readonly #rings = new Graphics();
  readonly #selection: Sprite;
  readonly #field: Sprite;
  readonly #spin: number;
  #labelLook = "";
  #ringLook = "";

  constructor(
    state: AsteroidState,
    node: number,
    art: Art,
    onPick: (slot: number) => void,
    onHover: (slot: number | null) => void,
  ) {
    this.#state = state;
    this.#art = art;
    const roll = dice(node * 64 + state.slot);
    this.#spin = (roll() - 0.5) * 0.16;
    this.#halo = new Sprite({ texture: art.glow, anchor: 0.5, blendMode: "add" });
    this.#body.rotation = roll() * Math.PI * 2;
    this.#selection = new Sprite({ texture: art.texture("vfx.selection.ring"), anchor: 0.5 });
    this.#field = new Sprite({ texture: art.texture("vfx.stabilize.field"), anchor: 0.5 });
    this.view.addChild(this.#halo, this.#body, this.#rings, this.#field, this.#selection);
    this.label = new Text({
      text: `${state.slot}`,
      anchor: 0.5,
      style: { fontFamily: "Inter, system-ui", fontWeight: "600", fill: art.color("ink.muted") },
    });
    this.view.eventMode = "static";
    this.view.cursor = "pointer";
    this.view.on("pointertap", () => onPick(state.slot));
    this.view.on("pointerover", () => onHover(state.slot));
    this.view.on("pointerout", () => onHover(null));
  }

  update(state: AsteroidState): void {
    this.#state = state;
    const isGone = state.depletion >= 1;
    this.view.alpha = isGone ? 0.28 : 1;
    this.view.cursor = isGone ? "default" : "pointer";
    this.#selection.visible = state.selected;
    this.#field.visible = state.stabilize_ticks > 0;
    this.label.alpha = isGone ? 0.4 : 1;
  }

  /** Places and draws the rock `share` of the way from the previous moment to this one. */
  draw(motion: Motion, share: number, clockMs: number, isStill: boolean): void {
    const { slot, comp_est: shares, stability_est: stability } = this.#state;
    const { scanConf, depletion } = motion.asteroid(slot, share);
    const place = asteroidPlace(slot, scanConf);
    const size = rockSize(depletion);
    const radius = ROCK_RADIUS[size];
    this.view.position.set(place.x, place.y);
    this.#body.texture = this.#art.texture(`entity.asteroid.${size}`);
    this.#body.setSize(radius * 2.15);
    if (!isStill) {
      this.#body.rotation += this.#spin * 0.016;
    }
    const best = this.#art.color(`commodity.${COMMODITIES[likeliestCommodity(this.#state)]}`);
    const isKnown = scanConf > TINTED_FROM;
    this.#body.tint = isKnown ? blend(UNKNOWN_TINT, best, Math.min(1, scanConf)) : UNKNOWN_TINT;
    this.#halo.tint = best;
    this.#halo.alpha = isKnown ? 0.12 + 0.3 * scanConf : 0;
    this.#halo.setSize(radius * 4.2);
    this.#drawRings(radius, isKnown ? shares : [], scanConf, stability);
    const pulse = isStill ? 0 : Math.sin(clockMs / 260) * 0.8;
    this.#selection.setSize((radius + 7 + pulse) * 2);
    this.#selection.rotation = isStill ? 0 : clockMs / 2400;
    this.#field.setSize((radius + 6) * 2);
    this.#field.rotation = isStill ? 0 : -clockMs / 3200;
    this.#field.alpha = 0.75 + pulse * 0.15;
  }

  /** A text is set anew only when it looks different: every change of style draws it again. */
  writeLabel(fontSize: number): void {
    const fill = this.#art.color(this.#state.selected ? "line.selection" : "ink.muted");
    const look = `${fontSize} ${fill}`;
    if (look !== this.#labelLook) {
      this.#labelLook = look;
      this.label.style.fontSize = fontSize;
      this.label.style.fill = fill;
    }
  }

  /** Where the number of the slot is written, in units: outside the ring of rocks. */
  labelPlace(): { x: number; y: number } {
    const out = 21;
    const angle = asteroidAngle(this.#state.slot);
    return { x: this.view.x + Math.cos(angle) * out, y: this.view.y + Math.sin(angle) * out };
  }

  /** Arcs in the colors of the goods, as long as their believed shares; the outer thin one tells how much is known. */
  #drawRings(radius: number, shares: readonly number[], scanConf: number, stability: number): void {
    const look = `${radius} ${scanConf.toFixed(3)} ${stability} ${shares.join()}`;
    if (look === this.#ringLook) {
      return;
    }
    this.#ringLook = look;
    const rings = this.#rings.clear();
    const inner = radius + 2.3;
    let start = -Math.PI / 2;
    shares.forEach((share, commodity) => {
      const stop = start + share * Math.PI * 2;
      rings
        .moveTo(Math.cos(start) * inner, Math.sin(start) * inner)
        .arc(0, 0, inner, start, Math.max(start, stop - 0.04))
        .stroke({
          width: 1.6,
          color: this.#art.color(`commodity.${COMMODITIES[commodity]}`),
          alpha: 0.35 + 0.6 * scanConf,
        });
      start = stop;
    });
    const outer = radius + 4.2;
    rings
      .moveTo(0, -outer)
      .arc(0, 0, outer, -Math.PI / 2, -Math.PI / 2 + scanConf * Math.PI * 2)
      .stroke({ width: 0.7, color: this.#art.color("line.scan"), alpha: 0.85 });
    if (scanConf > TINTED_FROM && stability < 0.4) {
      // A rock believed to be brittle shows cracks.
      rings
        .moveTo(-radius * 0.5, -radius * 0.6)
        .lineTo(-radius * 0.05, -radius * 0.1)
        .lineTo(-radius * 0.3, radius * 0.2)
        .lineTo(radius * 0.25, radius * 0.65)
        .stroke({ width: 0.9, color: this.#art.color("line.warning"), alpha: 0.7 });
    }
  }
}

function blend(from: number, to: string, share: number): number {
  const goal = Number.parseInt(to.slice(1), 16);
  const channel = (shift: number) => {
    const a = (from >> shift) & 255;
    const b = (goal >> shift) & 255;
    return Math.round(a + (b - a) * share) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}
