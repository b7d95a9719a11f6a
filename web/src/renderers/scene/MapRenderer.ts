import { Rectangle } from "pixi.js";
import type { Point } from "../geometry";
import type { MountOptions, RenderState, ToolChoices, View, WorldRenderer } from "../renderer";
import type { Art } from "./art";
import { Camera } from "./camera";
import { Card } from "./card";
import { loadFonts } from "./fonts";
import { listen } from "./gestures";
import { type Look, loadMapArt, type MapKind, type MapPicture } from "./mapKind";
import { Pace } from "./pace";
import { Screen } from "./screen";

const ZOOM_STEP = 1.5;

interface Scene<State> {
  screen: Screen;
  art: Art;
  picture: MapPicture<State>;
  card: Card;
}

/** A picture of a world seen from above: it can be moved and zoomed, glides from step to step, and rests in between. */
export class MapRenderer<State extends RenderState> implements WorldRenderer {
  readonly #kind: MapKind<State>;
  readonly #camera: Camera;
  readonly #pace = new Pace();
  readonly #leaving = new AbortController();
  #scene: Scene<State> | null = null;
  #options: MountOptions | null = null;
  #shown: View | null = null;
  #before: State | null = null;
  #choices: ToolChoices = {};
  #pointer: Point | null = null;
  #clockMs = 0;

  constructor(kind: MapKind<State>) {
    this.#kind = kind;
    this.#camera = new Camera(kind.marginPx.around, kind.marginPx.top);
  }

  async mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#options = options;
    const { colors } = options.manifests.graphics;
    const [art, screen] = await Promise.all([
      loadMapArt(this.#kind, options.manifests),
      Screen.open(host, colors[this.#kind.beyond] ?? "#000000"),
    ]);
    if (this.#leaving.signal.aborted) {
      screen.close();
      return;
    }
    screen.stage.visible = false;
    const [picture, card] = [this.#kind.open(art, options), new Card()];
    screen.stage.addChild(picture.view, card.view);
    this.#scene = { screen, art, picture, card };
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
    if (scene === null) {
      return;
    }
    const last = this.#shown;
    this.#shown = view;
    // Whoever is looked at may change while the moment stays.
    if (last?.state !== view.state) {
      this.#begin(view);
    }
    scene.screen.stage.visible = true;
    this.#aim();
    if (this.#before === null || view.reducedMotion) {
      this.#camera.settle();
    }
    this.#follow(scene);
    if (view.reducedMotion) {
      scene.screen.ticker.stop();
      this.#drawStill();
    } else {
      scene.screen.ticker.maxFPS = scene.screen.quality.activeFps;
      scene.screen.ticker.start();
    }
    if (last === null) {
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

  #begin(view: View): void {
    const now = this.#kind.read(view.state);
    const previous = view.previous === undefined ? null : this.#kind.read(view.previous);
    this.#before = previous !== null && previous.time + 1 === now.time ? previous : null;
    this.#pace.begin(performance.now(), this.#before !== null);
  }

  #follow(scene: Scene<State>): void {
    const look = this.#look(1);
    if (look !== null) {
      scene.picture.follow(look);
    }
  }

  /** The first picture does not wait for the clock; letters and effects come after it. */
  #drawFirst(scene: Scene<State>): void {
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
    const look = this.#look(share);
    const isPlaying = look !== null && (this.#scene?.picture.play(elapsedMs, look) ?? false);
    this.#draw(share);
    if (share >= 1 && !isMoving && !isPlaying) {
      this.#rest();
    }
  }

  /** Saves power once everything has settled; the next step wakes the picture up. */
  #rest(): void {
    const scene = this.#scene;
    const isCalm = this.#shown === null || (scene?.picture.isCalm(this.#kind.read(this.#shown.state)) ?? true);
    if (scene !== null && (scene.screen.quality.idleFps === 0 || isCalm)) {
      scene.screen.render();
      scene.screen.ticker.stop();
    }
  }

  #byHand(move: () => void): void {
    move();
    this.#redraw();
  }

  #hover(at: Point | null): void {
    this.#pointer = at;
    this.#redraw();
  }

  #tap(at: Point): void {
    const look = this.#look(1);
    const there = look === null ? null : (this.#scene?.picture.tap(look, at) ?? null);
    if (there !== null) {
      this.#byHand(() => this.#camera.lookAt(there));
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
    const look = this.#look(1);
    if (look !== null) {
      this.#scene?.picture.freeze(look);
    }
    this.#scene?.screen.render();
  }

  #aim(): void {
    const look = this.#look(1);
    if (look !== null && this.#scene !== null) {
      this.#camera.aimAt(this.#scene.picture.aimOf(look));
    }
  }

  #look(share: number): Look<State> | null {
    const [scene, view] = [this.#scene, this.#shown];
    if (scene === null || view === null) {
      return null;
    }
    return {
      now: this.#kind.read(view.state),
      before: this.#before,
      view,
      choices: this.#choices,
      camera: this.#camera,
      width: scene.screen.size.width,
      height: scene.screen.size.height,
      share,
      clockMs: this.#clockMs,
    };
  }

  #draw(share: number): void {
    const [look, scene] = [this.#look(share), this.#scene];
    if (look === null || scene === null) {
      return;
    }
    scene.picture.draw(look);
    const lines = this.#pointer === null ? null : scene.picture.pointedLines(look, this.#pointer);
    scene.card.show(lines, this.#pointer ?? { x: 0, y: 0 }, look.width, look.height);
  }
}
