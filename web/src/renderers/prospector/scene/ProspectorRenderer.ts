import { Rectangle } from "pixi.js";
import { entriesOf, isNone, type ManifestSet } from "../../manifests";
import type { MountOptions, View, WorldRenderer } from "../../renderer";
import { Art } from "../../scene/art";
import { loadFonts } from "../../scene/fonts";
import { Screen } from "../../scene/screen";
import { easeOut, TWEEN_MS } from "../../scene/tween";
import { type Fit, fitCanvas } from "../layout";
import { composeScene, type Scene } from "./composition";
import { drawMoment } from "./drawing";
import { type Moment, momentOf } from "./moment";

/** Pictures of places and things; those of effects are not needed to begin with. */
const WANTED = { first: /^(entity|bg)\.|^vfx\.(selection\.ring|stabilize\.field)$/, later: /^vfx\./ };

export function loadArt(manifests: ManifestSet): Promise<Art> {
  return Art.load(manifests, WANTED);
}

/** The ship has turned and the sky has settled this long after a step. */
const RESTLESS_MS = 1800;

/** The picture of this world: the place around the ship, what just happened there, and the ways out. */
export class ProspectorRenderer implements WorldRenderer {
  #scene: Scene | null = null;
  #options: MountOptions | null = null;
  #moment: Moment | null = null;
  #shown: View | null = null;
  #fit: Fit = fitCanvas(1, 1);
  #clockMs = 0;
  #sinceShownMs = 0;
  #hovered: number | null = null;
  #isDestroyed = false;

  async mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#options = options;
    const { colors } = options.manifests.graphics;
    const [art, screen] = await Promise.all([
      loadArt(options.manifests),
      Screen.open(host, colors["sky.top"] ?? "#050816"),
    ]);
    if (this.#isDestroyed) {
      screen.close();
      return;
    }
    // Nothing is in its place before the first moment is shown.
    screen.stage.visible = false;
    this.#scene = composeScene(screen, art, options.role, {
      onPick: (action) => options.onPick?.(action),
      onRock: (slot) => {
        this.#hovered = slot;
      },
      onHover: () => this.#redraw(),
    });
    screen.ticker.add((ticker) => this.#tick(ticker.elapsedMS));
    screen.show();
    this.resize();
  }

  show(view: View): void {
    const scene = this.#scene;
    const options = this.#options;
    if (scene === null || options === null) {
      return;
    }
    const isFirst = this.#shown === null;
    this.#shown = view;
    const moment = momentOf(view);
    this.#moment = moment;
    this.#sinceShownMs = 0;
    scene.screen.stage.visible = true;
    if (moment.motion.hasTraveled) {
      this.#hovered = null;
    }
    const { state, heading, target, hasTarget, isStill } = moment;
    scene.field.update(state);
    scene.sky.goTo(state.node.index, state.node.type === "hazard", heading, isStill);
    const seed = state.time + state.node.index;
    scene.effects.start(effectsOf(view, options.manifests), { target, hasTarget, heading }, seed);
    if (isStill) {
      scene.screen.ticker.stop();
      this.#drawStill();
    } else {
      this.#wake();
    }
    if (isFirst) {
      requestAnimationFrame(() => this.#drawFirst(scene, options));
    }
  }

  resize(): void {
    const scene = this.#scene;
    if (scene === null) {
      return;
    }
    scene.screen.fit();
    const { width, height } = scene.screen.size;
    this.#fit = fitCanvas(width, height);
    scene.world.position.set(this.#fit.center.x, this.#fit.center.y);
    scene.world.scale.set(this.#fit.scale);
    scene.sky.resize(width, height);
    scene.screen.stage.hitArea = new Rectangle(0, 0, width, height);
    this.#redraw();
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#scene?.screen.close();
    this.#scene = null;
  }

  /** The clock may leave out its first beats, and the first picture does not wait for it. */
  #drawFirst(scene: Scene, options: MountOptions): void {
    if (this.#isDestroyed) {
      return;
    }
    if (!this.#moment?.isStill) {
      this.#tick(0);
      scene.screen.render();
    }
    const font = options.manifests.graphics.fonts.label?.family ?? "Inter";
    requestAnimationFrame(() => void this.#complete(scene, font));
  }

  /** Brings what the first picture does without: the letters of its font and the pictures of effects. */
  async #complete(scene: Scene, font: string): Promise<void> {
    // A picture or a font that does not come leaves its place empty or to the letters at hand.
    await Promise.allSettled([scene.art.loadRest(), loadFonts(font)]);
    if (this.#isDestroyed) {
      return;
    }
    scene.screen.rewrite();
    if (this.#shown?.reducedMotion) {
      this.show(this.#shown);
    } else {
      this.#redraw();
    }
  }

  #tick(elapsedMs: number): void {
    this.#clockMs += elapsedMs;
    this.#sinceShownMs += elapsedMs;
    this.#scene?.sky.tick(elapsedMs);
    this.#draw(easeOut(this.#sinceShownMs / TWEEN_MS), false);
    this.#scene?.effects.tick(elapsedMs);
    if (this.#sinceShownMs > RESTLESS_MS) {
      this.#rest();
    }
  }

  #wake(): void {
    const screen = this.#scene?.screen;
    if (screen !== undefined) {
      screen.ticker.maxFPS = screen.quality.activeFps;
      screen.ticker.start();
    }
  }

  /** Saves power once everything has settled; the next step wakes the picture up. */
  #rest(): void {
    const screen = this.#scene?.screen;
    if (screen === undefined) {
      return;
    }
    if (screen.quality.idleFps > 0) {
      screen.ticker.maxFPS = screen.quality.idleFps;
    } else {
      screen.render();
      screen.ticker.stop();
    }
  }

  /** What the pointer is over has changed. */
  #redraw(): void {
    if (this.#moment?.isStill) {
      this.#drawStill();
    } else if (this.#scene !== null && !this.#scene.screen.ticker.started) {
      this.#draw(1, false);
      this.#scene.screen.render();
    }
  }

  #drawStill(): void {
    this.#scene?.sky.settle();
    this.#draw(1, true);
    this.#scene?.effects.freeze();
    this.#scene?.screen.render();
  }

  #draw(share: number, isStill: boolean): void {
    const [scene, moment] = [this.#scene, this.#moment];
    if (scene === null || moment === null) {
      return;
    }
    drawMoment(scene, moment, {
      share,
      clockMs: this.#clockMs,
      sinceShownMs: this.#sinceShownMs,
      isStill,
      fit: this.#fit,
      hovered: this.#hovered,
    });
  }
}

/** The pictures that the step lets play. */
function effectsOf({ frame }: View, manifests: ManifestSet): string[] {
  const entries = frame === undefined ? [] : entriesOf(manifests.effects, frame.options, frame.events);
  return entries.map((entry) => entry.vfx).filter((key) => !isNone(key));
}
