import { Rectangle } from "pixi.js";
import type { Point } from "../../geometry";
import type { ManifestSet } from "../../manifests";
import type { MountOptions, ToolChoices, View, WorldRenderer } from "../../renderer";
import { Art } from "../../scene/art";
import { loadFonts } from "../../scene/fonts";
import { Screen } from "../../scene/screen";
import { aimOf } from "../aims";
import { Camera } from "../camera";
import { knowledgeOf } from "../knowledge";
import { asTidebreak, type TidebreakState } from "../state";
import { NO_FIELD, TRUTH } from "../tools";
import { listen } from "./gestures";
import { Layers } from "./layers";
import { Pace } from "./pace";
import { pointedAt, pointedLines, rowOf, targetedTracks } from "./pointed";
import { makeSight, type Sight } from "./sight";

/** Pictures of ships and weapons; those of effects are not needed to begin with. */
const WANTED = { first: /^entity\.|^icon\.status\./, later: /^vfx\./ };
const ZOOM_STEP = 1.5;

export function loadArt(manifests: ManifestSet): Promise<Art> {
  return Art.load(manifests, WANTED);
}

interface Scene {
  screen: Screen;
  art: Art;
  layers: Layers;
}

/** The picture of this world: a battle seen from above, as it is or as one side believes it to be. */
export class TidebreakRenderer implements WorldRenderer {
  readonly #camera = new Camera();
  readonly #pace = new Pace();
  readonly #leaving = new AbortController();
  #scene: Scene | null = null;
  #options: MountOptions | null = null;
  #shown: View | null = null;
  #before: TidebreakState | null = null;
  #choices: ToolChoices = {};
  #pointer: Point | null = null;
  #clockMs = 0;

  async mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#options = options;
    const { colors } = options.manifests.graphics;
    const [art, screen] = await Promise.all([
      loadArt(options.manifests),
      Screen.open(host, colors["sea.beyond"] ?? "#06182b"),
    ]);
    if (this.#leaving.signal.aborted) {
      screen.close();
      return;
    }
    screen.stage.visible = false;
    const layers = new Layers(art);
    screen.stage.addChild(layers.view);
    this.#scene = { screen, art, layers };
    screen.ticker.add((ticker) => this.#tick(ticker.elapsedMS));
    screen.show();
    listen(
      host,
      {
        onPan: (dx, dy) => this.#byHand(() => this.#camera.panBy(dx, dy)),
        onZoom: (factor, at) => this.#byHand(() => this.#camera.zoomBy(factor, at)),
        onHover: (at) => this.#hover(at),
        onTap: (at) => this.#tap(at),
      },
      this.#leaving.signal,
    );
    this.resize();
  }

  show(view: View): void {
    const scene = this.#scene;
    if (scene === null || this.#options === null) {
      return;
    }
    const isFirst = this.#shown === null;
    this.#shown = view;
    const now = asTidebreak(view.state);
    const previous = view.previous === undefined ? null : asTidebreak(view.previous);
    const isNext = previous !== null && previous.time + 1 === now.time;
    this.#before = isNext ? previous : null;
    this.#pace.begin(performance.now(), isNext);
    scene.screen.stage.visible = true;
    this.#aim();
    if (!isNext || view.reducedMotion) {
      this.#camera.settle();
    }
    const knowledge = this.#knowledge(now);
    scene.layers.follow(now, isNext);
    const known = new Set([...knowledge.units, ...knowledge.munitions].map(({ id }) => id));
    scene.layers.effects.start(now, this.#options.manifests.effects, (id) => known.has(id));
    if (view.reducedMotion) {
      scene.screen.ticker.stop();
      this.#drawStill();
    } else {
      scene.screen.ticker.maxFPS = scene.screen.quality.activeFps;
      scene.screen.ticker.start();
    }
    if (isFirst) {
      requestAnimationFrame(() => this.#drawFirst(scene));
    }
  }

  apply(choices: ToolChoices): void {
    const isSameCamera = choices.camera === this.#choices.camera;
    this.#choices = choices;
    this.#aim();
    if (!isSameCamera) {
      this.#camera.reset();
      this.#camera.settle();
    }
    this.#redraw();
  }

  press(key: string): void {
    const { width, height } = this.#scene?.screen.size ?? { width: 0, height: 0 };
    const middle = { x: width / 2, y: height / 2 };
    this.#byHand(() => {
      if (key === "fit") {
        this.#camera.reset();
        this.#camera.settle();
      } else {
        this.#camera.zoomBy(key === "zoom-in" ? ZOOM_STEP : 1 / ZOOM_STEP, middle);
      }
    });
  }

  resize(): void {
    const screen = this.#scene?.screen;
    if (screen === undefined) {
      return;
    }
    screen.fit();
    const { width, height } = screen.size;
    screen.stage.hitArea = new Rectangle(0, 0, width, height);
    this.#camera.resize(width, height);
    this.#redraw();
  }

  destroy(): void {
    this.#leaving.abort();
    this.#scene?.screen.close();
    this.#scene = null;
  }

  /** The first picture does not wait for the clock; letters and effects come after it. */
  #drawFirst(scene: Scene): void {
    if (this.#leaving.signal.aborted) {
      return;
    }
    this.#draw(1);
    scene.screen.render();
    const family = this.#options?.manifests.graphics.fonts.label?.family ?? "Inter";
    // A picture or a font that does not come leaves its place empty or to the letters at hand.
    requestAnimationFrame(async () => {
      await Promise.allSettled([scene.art.loadRest(), loadFonts(family)]);
      if (!this.#leaving.signal.aborted) {
        scene.screen.rewrite();
        this.#redraw();
      }
    });
  }

  #tick(elapsedMs: number): void {
    this.#clockMs += elapsedMs;
    const isMoving = this.#camera.tick(elapsedMs);
    const share = this.#pace.advance(elapsedMs);
    const isPlaying = this.#scene?.layers.effects.tick(elapsedMs, this.#camera) ?? false;
    this.#draw(share);
    if (share >= 1 && !isMoving && !isPlaying) {
      this.#rest();
    }
  }

  /** Saves power once everything has settled; the next step wakes the picture up. */
  #rest(): void {
    const screen = this.#scene?.screen;
    if (screen !== undefined && (screen.quality.idleFps === 0 || this.#isCalm())) {
      screen.render();
      screen.ticker.stop();
    }
  }

  #isCalm(): boolean {
    return !(this.#shown !== null && asTidebreak(this.#shown.state).storms.length > 0);
  }

  #byHand(move: () => void): void {
    move();
    this.#redraw();
  }

  #hover(at: Point | null): void {
    this.#pointer = at;
    this.#redraw();
  }

  /** A click on the mini-map goes there; one on a contact makes it the target of whoever commands. */
  #tap(at: Point): void {
    const there = this.#scene?.layers.map.placeAt(at) ?? null;
    if (there !== null) {
      this.#byHand(() => this.#camera.lookAt(there));
      return;
    }
    const sight = this.#sight(1);
    const pointed = sight === null ? null : pointedAt(sight, at);
    if (sight !== null && pointed?.track !== undefined) {
      const row = rowOf(sight.state, sight.knowledge, pointed.track);
      if (row !== null) {
        this.#options?.onPick?.(`target.row_${row}`);
      }
    }
  }

  #redraw(): void {
    if (this.#shown?.reducedMotion) {
      this.#drawStill();
    } else if (this.#scene !== null && !this.#scene.screen.ticker.started) {
      this.#draw(1);
      this.#scene.screen.render();
    }
  }

  #drawStill(): void {
    this.#camera.settle();
    this.#draw(1);
    this.#scene?.layers.effects.freeze(this.#camera);
    this.#scene?.screen.render();
  }

  #aim(): void {
    if (this.#shown !== null) {
      const now = asTidebreak(this.#shown.state);
      this.#camera.aimAt(aimOf(now, this.#knowledge(now), `${this.#choices.camera ?? "all"}`));
    }
  }

  #knowledge(state: TidebreakState) {
    return knowledgeOf(state, `${this.#choices.knowledge ?? TRUTH}`);
  }

  #sight(share: number): Sight | null {
    const scene = this.#scene;
    if (scene === null || this.#shown === null) {
      return null;
    }
    const state = asTidebreak(this.#shown.state);
    return makeSight(state, this.#knowledge(state), this.#before, scene.art, {
      camera: this.#camera,
      width: scene.screen.size.width,
      height: scene.screen.size.height,
      share,
      clockMs: this.#clockMs,
      isStill: this.#shown.reducedMotion,
      hasSensors: this.#choices.sensors === true,
      field: `${this.#choices.field ?? NO_FIELD}`,
    });
  }

  #draw(share: number): void {
    const sight = this.#sight(share);
    const scene = this.#scene;
    if (sight === null || scene === null) {
      return;
    }
    scene.layers.draw(sight, targetedTracks(sight.state, sight.knowledge));
    const pointed = this.#pointer === null ? null : pointedAt(sight, this.#pointer);
    scene.layers.card.show(
      pointed === null ? null : pointedLines(pointed),
      this.#pointer ?? { x: 0, y: 0 },
      sight.width,
      sight.height,
    );
  }
}
