import type { Container } from "pixi.js";
import type { Point } from "../../geometry";
import type { MountOptions } from "../../renderer";
import type { Art } from "../../scene/art";
import type { Aim } from "../../scene/camera";
import type { Look, MapKind, MapPicture } from "../../scene/mapKind";
import { aimOf } from "../aims";
import { type Knowledge, knowledgeOf } from "../knowledge";
import { asTidebreak, type TidebreakState } from "../state";
import { NO_FIELD, TRUTH } from "../tools";
import { Layers } from "./layers";
import { pointedAt, pointedLines, rowOf, targetedTracks } from "./pointed";
import { makeSight, type Sight } from "./sight";

type Looking = Look<TidebreakState>;

/** A battle seen from above, as it is or as one side believes it to be. */
class TidebreakPicture implements MapPicture<TidebreakState> {
  readonly #art: Art;
  readonly #options: MountOptions;
  readonly #layers: Layers;
  #followed: TidebreakState | null = null;

  constructor(art: Art, options: MountOptions) {
    this.#art = art;
    this.#options = options;
    this.#layers = new Layers(art);
  }

  get view(): Container {
    return this.#layers.view;
  }

  follow(look: Looking): void {
    if (look.now === this.#followed) {
      return;
    }
    this.#followed = look.now;
    this.#layers.follow(look.now, look.before !== null);
    const { units, munitions } = knowledgeIn(look);
    const known = new Set([...units, ...munitions].map(({ id }) => id));
    this.#layers.effects.start(look.now, this.#options.manifests.effects, (id) => known.has(id));
  }

  aimOf(look: Looking): Aim {
    return aimOf(look.now, knowledgeIn(look), `${look.choices.camera ?? "all"}`);
  }

  draw(look: Looking): void {
    const sight = this.#sight(look);
    this.#layers.draw(sight, targetedTracks(sight.state, sight.knowledge));
  }

  play(elapsedMs: number, { camera }: Looking): boolean {
    return this.#layers.effects.tick(elapsedMs, camera);
  }

  freeze({ camera }: Looking): void {
    this.#layers.effects.freeze(camera);
  }

  isCalm(now: TidebreakState): boolean {
    return now.storms.length === 0;
  }

  pointedLines(look: Looking, at: Point): readonly string[] | null {
    const pointed = pointedAt(this.#sight(look), at);
    return pointed === null ? null : pointedLines(pointed);
  }

  /** A click on the mini-map goes there; one on a contact makes it the target of whoever commands. */
  tap(look: Looking, at: Point): Point | null {
    const there = this.#layers.map.placeAt(at);
    if (there !== null) {
      return there;
    }
    const sight = this.#sight(look);
    const track = pointedAt(sight, at)?.track;
    const row = track === undefined ? null : rowOf(sight.state, sight.knowledge, track);
    if (row !== null) {
      this.#options.onPick?.(`target.row_${row}`);
    }
    return null;
  }

  #sight(look: Looking): Sight {
    return makeSight(look.now, knowledgeIn(look), look.before, this.#art, {
      camera: look.camera,
      width: look.width,
      height: look.height,
      share: look.share,
      clockMs: look.clockMs,
      isStill: look.view.reducedMotion,
      hasSensors: look.choices.sensors === true,
      field: `${look.choices.field ?? NO_FIELD}`,
    });
  }
}

function knowledgeIn({ now, choices }: Looking): Knowledge {
  return knowledgeOf(now, `${choices.knowledge ?? TRUTH}`);
}

export const TIDEBREAK_MAP: MapKind<TidebreakState> = {
  // Pictures of ships and weapons; those of effects are not needed to begin with.
  wanted: { first: /^entity\.|^icon\.status\./, later: /^vfx\./ },
  beyond: "sea.beyond",
  marginPx: { around: 46, top: 46 },
  read: asTidebreak,
  open: (art, options) => new TidebreakPicture(art, options),
};
