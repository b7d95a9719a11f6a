import { Container, Graphics, Sprite } from "pixi.js";
import type { Point } from "../../geometry";
import { type EffectsManifest, isNone } from "../../manifests";
import type { Art } from "../../scene/art";
import type { Camera } from "../../scene/camera";
import { dice } from "../../scene/dice";
import { easeOut } from "../../scene/tween";
import type { EventRecord, TidebreakState } from "../state";

/** Share of its life at which an effect is shown when nothing may move. */
const STILL_SHARE = 0.35;
/** A broadside of a whole fleet would hide the sea. */
const MANY = 24;

interface Look {
  ms: number;
  color: string;
  /** How far its rings open, pixels. */
  reach: number;
  rings: number;
  sparks: number;
  glyph: boolean;
}

/** How every effect of the manifest moves, by its key. */
const LOOKS: Readonly<Record<string, Look>> = {
  "vfx.muzzle": { ms: 350, color: "#ffe1a0", reach: 12, rings: 0, sparks: 5, glyph: false },
  "vfx.splash": { ms: 700, color: "#d7f0ff", reach: 16, rings: 2, sparks: 0, glyph: false },
  "vfx.explosion.small": { ms: 800, color: "#ffb057", reach: 26, rings: 1, sparks: 12, glyph: true },
  "vfx.explosion.large": { ms: 1700, color: "#ff7a3d", reach: 64, rings: 2, sparks: 30, glyph: true },
  "vfx.ping": { ms: 1500, color: "#7ef0d4", reach: 120, rings: 3, sparks: 0, glyph: false },
  "vfx.bubbles": { ms: 1200, color: "#bfe9ff", reach: 26, rings: 0, sparks: 14, glyph: true },
  "vfx.alert": { ms: 1200, color: "#ff6b6b", reach: 30, rings: 1, sparks: 0, glyph: true },
  "vfx.contact": { ms: 900, color: "#ffd166", reach: 24, rings: 1, sparks: 0, glyph: true },
  "vfx.decoy": { ms: 900, color: "#c4b5fd", reach: 22, rings: 2, sparks: 6, glyph: false },
  "vfx.intercept": { ms: 600, color: "#fff3b0", reach: 18, rings: 1, sparks: 10, glyph: false },
  "vfx.flag": { ms: 1600, color: "#ffffff", reach: 26, rings: 1, sparks: 0, glyph: true },
  "vfx.lightning": { ms: 500, color: "#fdf6c9", reach: 46, rings: 0, sparks: 8, glyph: true },
  "vfx.objective": { ms: 1500, color: "#86efac", reach: 34, rings: 2, sparks: 0, glyph: true },
  "vfx.end": { ms: 1600, color: "#ffd166", reach: 200, rings: 2, sparks: 0, glyph: false },
};

interface Playing {
  look: Look;
  place: Point;
  ageMs: number;
  sprite: Sprite | null;
  rolls: readonly number[];
}

/** Plays what happened in the present step where it happened; the step before makes room for it. */
export class Effects {
  readonly view = new Container();
  readonly #canvas = new Graphics({ blendMode: "add" });
  readonly #art: Art;
  #playing: Playing[] = [];

  constructor(art: Art) {
    this.#art = art;
    this.view.addChild(this.#canvas);
  }

  start(state: TidebreakState, manifest: EffectsManifest, knows: (id: number) => boolean): void {
    this.clear();
    for (const event of state.events) {
      const key = manifest.events[event.kind.toLowerCase()]?.vfx ?? "vfx.none";
      const look = LOOKS[key];
      const place = placeOfEvent(state, event, knows);
      if (!isNone(key) && look !== undefined && place !== null && this.#playing.length < MANY) {
        const roll = dice(event.id);
        const rolls = Array.from({ length: look.sparks * 2 }, roll);
        this.#playing.push({ look, place, ageMs: 0, sprite: look.glyph ? this.#sprite(key) : null, rolls });
      }
    }
  }

  /** Goes on; returns whether something still plays. */
  tick(elapsedMs: number, camera: Camera): boolean {
    this.#canvas.clear();
    this.#playing = this.#playing.filter((effect) => {
      effect.ageMs += elapsedMs;
      if (effect.ageMs >= effect.look.ms) {
        effect.sprite?.destroy();
        return false;
      }
      this.#draw(effect, camera, effect.ageMs / effect.look.ms);
      return true;
    });
    return this.#playing.length > 0;
  }

  /** Draws every effect once at a telling moment and leaves it there. */
  freeze(camera: Camera): void {
    this.#canvas.clear();
    for (const effect of this.#playing) {
      this.#draw(effect, camera, STILL_SHARE);
    }
  }

  clear(): void {
    this.#canvas.clear();
    for (const { sprite } of this.#playing) {
      sprite?.destroy();
    }
    this.#playing = [];
  }

  #sprite(key: string): Sprite {
    const sprite = new Sprite({ texture: this.#art.texture(key), anchor: 0.5 });
    this.view.addChild(sprite);
    return sprite;
  }

  #draw({ look, place, sprite, rolls }: Playing, camera: Camera, share: number): void {
    const at = camera.toScreen(place);
    for (let ring = 0; ring < look.rings; ring += 1) {
      const local = share - ring * 0.18;
      if (local > 0) {
        this.#canvas
          .circle(at.x, at.y, look.reach * easeOut(local))
          .stroke({ width: 2, color: look.color, alpha: (1 - share) * 0.85 });
      }
    }
    for (let spark = 0; spark < look.sparks; spark += 1) {
      const angle = (rolls[spark * 2] ?? 0) * 2 * Math.PI;
      const reach = look.reach * (0.3 + 0.7 * (rolls[spark * 2 + 1] ?? 0)) * easeOut(share);
      this.#canvas
        .circle(at.x + Math.cos(angle) * reach, at.y + Math.sin(angle) * reach, 0.6 + 2.2 * (1 - share))
        .fill({ color: look.color, alpha: 1 - share });
    }
    if (sprite !== null) {
      sprite.position.set(at.x, at.y - 8 * easeOut(share));
      sprite.setSize(26 + look.reach * 0.25 * share);
      sprite.alpha = share < 0.15 ? share / 0.15 : 1 - (share - 0.15) / 0.85;
    }
  }
}

const DONE_BY_SOURCE = new Set(["WEAPON_FIRED", "PING", "DECOY", "SQUADRON_LAUNCHED"]);

/** Where something happened: at whom it was done, else at who did it; null where a side does not know the place. */
function placeOfEvent(state: TidebreakState, event: EventRecord, knows: (id: number) => boolean): Point | null {
  const ids = DONE_BY_SOURCE.has(event.kind)
    ? [event.source]
    : event.kind.startsWith("CONTACT_")
      ? [event.target]
      : [event.target, event.source];
  for (const id of ids.filter((one) => one !== 0 && knows(one))) {
    const thing = state.units.find((unit) => unit.id === id) ?? state.munitions.find((munition) => munition.id === id);
    if (thing !== undefined) {
      return { x: thing.x, y: thing.y };
    }
  }
  const [west, south, east, north] = state.bounds;
  return event.kind === "BATTLE_END" ? { x: (west + east) / 2, y: (south + north) / 2 } : null;
}
