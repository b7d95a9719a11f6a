import { Container, Rectangle } from "pixi.js";
import { entriesOf, isNone, type ManifestSet } from "../../manifests";
import type { MountOptions, View, WorldRenderer } from "../../renderer";
import { Art } from "../../scene/art";
import { loadFonts } from "../../scene/fonts";
import { Screen } from "../../scene/screen";
import { easeOut, TWEEN_MS } from "../../scene/tween";
import { EffectPlayer } from "../effects/player";
import { type Fit, fitCanvas } from "../layout";
import { type Motion, motionBetween } from "../motion";
import { type AsteroidState, asProspector, type ProspectorState } from "../state";
import { RockCard } from "./card";
import { Craft } from "./craft";
import { Field } from "./field";
import { headingOf, targetPoint, targetSlot } from "./heading";
import { hazardMarkSize, Markers } from "./markers";
import { MiniMap } from "./minimap";
import { PlaceLabel } from "./placeLabel";
import { Sky } from "./sky";

/** Pictures of places and things; those of effects are not needed to begin with. */
const WANTED = { first: /^(entity|bg)\.|^vfx\.(selection\.ring|stabilize\.field)$/, later: /^vfx\./ };

export function loadArt(manifests: ManifestSet): Promise<Art> {
  return Art.load(manifests, WANTED);
}

/** The ship has turned and the sky has settled this long after a step. */
const RESTLESS_MS = 1800;
/** Narrower pictures have no free corner for the card of the selected rock. */
const CARD_WIDTH_PX = 820;

interface Scene {
  screen: Screen;
  art: Art;
  sky: Sky;
  world: Container;
  field: Field;
  craft: Craft;
  effects: EffectPlayer;
  markers: Markers;
  map: MiniMap;
  card: RockCard;
  label: PlaceLabel;
}

interface Moment {
  state: ProspectorState;
  motion: Motion;
  heading: number;
  events: readonly string[];
  isStill: boolean;
}

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
    this.#scene = this.#compose(screen, art, options);
    screen.ticker.add((ticker) => this.#tick(ticker.elapsedMS));
    screen.show();
    this.resize();
  }

  show(view: View): void {
    const { state, frame, previous, reducedMotion } = view;
    const scene = this.#scene;
    const options = this.#options;
    if (scene === null || options === null) {
      return;
    }
    const isFirst = this.#shown === null;
    this.#shown = view;
    const now = asProspector(state);
    const before = previous === undefined ? null : asProspector(previous);
    const events = frame?.events ?? [];
    const slot = targetSlot(now, before, frame);
    const heading = headingOf(now, frame, slot);
    this.#moment = { state: now, motion: motionBetween(before, now), heading, events, isStill: reducedMotion };
    this.#sinceShownMs = 0;
    scene.screen.stage.visible = true;
    if (this.#moment.motion.hasTraveled) {
      this.#hovered = null;
    }
    scene.field.update(now);
    scene.sky.goTo(now.node.index, now.node.type === "hazard", heading, reducedMotion);
    const keys = frame === undefined ? [] : entriesOf(options.manifests.effects, frame.options, frame.events);
    const place = { target: targetPoint(now, slot), hasTarget: slot !== null, heading };
    scene.effects.start(
      keys.map((entry) => entry.vfx).filter((key) => !isNone(key)),
      place,
      now.time + now.node.index,
    );
    if (reducedMotion) {
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

  #compose(screen: Screen, art: Art, options: MountOptions): Scene {
    const pick = (label: string) => options.onPick?.(label);
    const label = new PlaceLabel(art);
    const hover = (text: string | null) => {
      label.hover(text);
      this.#redraw();
    };
    const field = new Field(art, {
      onPick: (slot) => pick(`SELECT_ASTEROID_${slot}`),
      onHover: (slot) => {
        this.#hovered = slot;
        this.#redraw();
      },
    });
    const scene: Scene = {
      screen,
      art,
      sky: new Sky(art),
      world: new Container(),
      field,
      craft: new Craft(art, options.role),
      effects: new EffectPlayer(art),
      markers: new Markers(art),
      map: new MiniMap(art, (slot) => pick(`TRAVEL_NEIGHBOR_${slot}`), hover),
      card: new RockCard(art),
      label,
    };
    scene.world.addChild(scene.markers.fog, field.view, scene.craft.view, scene.effects.view);
    screen.stage.addChild(
      scene.sky.view,
      scene.world,
      field.labels,
      scene.card.view,
      scene.map.view,
      label.view,
      scene.markers.view,
    );
    return scene;
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
    const { state, motion, heading, events } = moment;
    const { width, height } = scene.screen.size;
    const isBurning = motion.hasTraveled || events.includes("emergency_burn");
    const pose = {
      heading,
      dock: motion.dock(share),
      arrival: this.#sinceShownMs / (TWEEN_MS * 2.2),
      isArriving: motion.hasTraveled && !isStill,
      thrust: isBurning ? Math.max(0, 1 - this.#sinceShownMs / 1200) : 0.12,
      isGone: events.includes("destroyed"),
    };
    scene.craft.draw(pose, this.#clockMs, isStill, state.ship.escape_ticks);
    scene.field.draw(motion, share, this.#clockMs, isStill, this.#fit);
    scene.markers.draw(state, events, width, height, this.#clockMs, isStill);
    scene.map.draw(state, width, height);
    scene.card.draw(
      this.#rockToTell(state, width),
      height,
      state.node.type === "hazard" ? hazardMarkSize(width, height) * 1.6 : 0,
    );
    scene.label.draw(state);
  }

  /** The rock under the pointer, else the selected one where its card does not cover others. */
  #rockToTell(state: ProspectorState, width: number): AsteroidState | null {
    const wanted = (asteroid: AsteroidState) =>
      this.#hovered === null ? asteroid.selected && width > CARD_WIDTH_PX : asteroid.slot === this.#hovered;
    return state.asteroids.find(wanted) ?? null;
  }
}
