import { Container, Sprite } from "pixi.js";
import { type EffectsManifest, isNone } from "../../manifests";
import type { Art } from "../../scene/art";
import { clamp01, easeOut } from "../../scene/tween";
import type { TownletState } from "../state";
import { headOf, type Sight } from "./sight";

const LIFE_MS = 1700;
/** Share of its life at which a mark is shown when nothing may move. */
const STILL_SHARE = 0.3;
const SIZE_PX = 30;
const RISE_PX = 16;
/** A whole town that pays its rent would be hidden behind coins. */
const MANY = 10;

interface Mark {
  seat: number;
  sprite: Sprite;
  ageMs: number;
}

/** What happens, over the heads of those it happens to: talks, quarrels, meals, wages. */
export class Marks {
  readonly view = new Container();
  readonly #art: Art;
  #marks: Mark[] = [];

  constructor(art: Art) {
    this.#art = art;
  }

  /** Adds what happened in the step to a moment; `isNext` if it follows the one shown before. */
  start(state: TownletState, manifest: EffectsManifest, isNext: boolean): void {
    if (!isNext) {
      this.#clear(() => true);
    }
    const fresh = marksOf(state, manifest).slice(0, MANY);
    const marked = new Set(fresh.map(({ seat }) => seat));
    this.#clear(({ seat }) => marked.has(seat));
    for (const { seat, picture } of fresh) {
      const sprite = new Sprite({ texture: this.#art.texture(picture), anchor: { x: 0.5, y: 1 }, visible: false });
      this.view.addChild(sprite);
      this.#marks.push({ seat, sprite, ageMs: 0 });
    }
  }

  /** Goes on; returns whether something still shows. */
  tick(elapsedMs: number, sight: Sight): boolean {
    for (const mark of this.#marks) {
      mark.ageMs += elapsedMs;
      this.#draw(mark, sight, mark.ageMs / LIFE_MS);
    }
    this.#clear(({ ageMs }) => ageMs >= LIFE_MS);
    return this.#marks.length > 0;
  }

  freeze(sight: Sight): void {
    for (const mark of this.#marks) {
      this.#draw(mark, sight, STILL_SHARE);
    }
  }

  #draw({ seat, sprite }: Mark, sight: Sight, share: number): void {
    const head = headOf(sight, seat);
    sprite.visible = head !== null;
    if (head !== null) {
      sprite.position.set(head.x, head.y - RISE_PX * easeOut(share));
      sprite.setSize(SIZE_PX * (0.6 + 0.4 * easeOut(share * 5)));
      sprite.alpha = 1 - clamp01((share - 0.6) / 0.4);
    }
  }

  #clear(isGone: (mark: Mark) => boolean): void {
    this.#marks = this.#marks.filter((mark) => {
      if (isGone(mark)) {
        mark.sprite.destroy();
        return false;
      }
      return true;
    });
  }
}

/** Returns what shows over whom; over somebody to whom more than one thing happens, the last. */
export function marksOf(state: TownletState, manifest: EffectsManifest): { seat: number; picture: string }[] {
  const seats = new Map(state.citizens.map(({ id, seat }) => [id, seat]));
  const found = new Map<number, string>();
  for (const { kind, who } of state.events) {
    const picture = manifest.events[kind]?.vfx ?? "vfx.none";
    for (const id of isNone(picture) ? [] : who) {
      const seat = seats.get(id);
      if (seat !== undefined) {
        found.set(seat, picture);
      }
    }
  }
  return [...found].map(([seat, picture]) => ({ seat, picture }));
}
