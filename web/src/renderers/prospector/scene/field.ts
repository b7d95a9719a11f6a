import { Container } from "pixi.js";
import type { Art } from "../../scene/art";
import type { Fit } from "../layout";
import type { Motion } from "../motion";
import type { ProspectorState } from "../state";
import { Rock } from "./rocks";

export interface FieldCallbacks {
  onPick: (slot: number) => void;
  onHover: (slot: number | null) => void;
}

/** The rocks of the present place with their numbers. */
export class Field {
  readonly view = new Container();
  readonly labels = new Container();
  readonly #rocks = new Map<number, Rock>();
  readonly #art: Art;
  readonly #callbacks: FieldCallbacks;
  #node = -1;

  constructor(art: Art, callbacks: FieldCallbacks) {
    this.#art = art;
    this.#callbacks = callbacks;
  }

  update(state: ProspectorState): void {
    if (state.node.index !== this.#node) {
      this.#clear();
      this.#node = state.node.index;
    }
    for (const asteroid of state.asteroids) {
      this.#rock(asteroid.slot, state).update(asteroid);
    }
  }

  draw(motion: Motion, share: number, clockMs: number, isStill: boolean, fit: Fit): void {
    const fontSize = Math.round(Math.max(11, Math.min(15, fit.scale * 5)));
    for (const rock of this.#rocks.values()) {
      rock.draw(motion, share, clockMs, isStill);
      const place = rock.labelPlace();
      rock.label.position.set(
        Math.round(fit.center.x + place.x * fit.scale),
        Math.round(fit.center.y + place.y * fit.scale),
      );
      rock.writeLabel(fontSize);
    }
  }

  #rock(slot: number, state: ProspectorState): Rock {
    const known = this.#rocks.get(slot);
    if (known !== undefined) {
      return known;
    }
    const asteroid = state.asteroids.find((candidate) => candidate.slot === slot);
    if (asteroid === undefined) {
      throw new Error(`there is no asteroid in slot ${slot}`);
    }
    const { onPick, onHover } = this.#callbacks;
    const rock = new Rock(asteroid, state.node.index, this.#art, onPick, onHover);
    this.#rocks.set(slot, rock);
    this.view.addChild(rock.view);
    this.labels.addChild(rock.label);
    return rock;
  }

  #clear(): void {
    for (const rock of this.#rocks.values()) {
      rock.view.destroy({ children: true });
      rock.label.destroy();
    }
    this.#rocks.clear();
  }
}
