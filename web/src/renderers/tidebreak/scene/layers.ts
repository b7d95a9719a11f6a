import { Container } from "pixi.js";
import type { Art } from "../../scene/art";
import { Labels } from "../../scene/labels";
import type { TidebreakState } from "../state";
import { Effects } from "./effects";
import { Heat } from "./heat";
import { Instruments } from "./instruments";
import { MiniMap } from "./minimap";
import { Munitions } from "./munitions";
import { Objectives } from "./objectives";
import { Sea } from "./sea";
import { Sensors } from "./sensors";
import { Ships } from "./ships";
import type { Sight } from "./sight";
import { Tracks } from "./tracks";
import { Weather } from "./weather";

/** Everything the picture is made of, from the sea floor up. */
export class Layers {
  readonly view = new Container();
  readonly effects: Effects;
  readonly map = new MiniMap();
  readonly #sea = new Sea();
  readonly #heat = new Heat();
  readonly #weather = new Weather();
  readonly #sensors = new Sensors();
  readonly #objectives = new Objectives();
  readonly #tracks = new Tracks();
  readonly #munitions = new Munitions();
  readonly #ships = new Ships();
  readonly #instruments = new Instruments();
  readonly #labels = new Labels();

  constructor(art: Art) {
    this.effects = new Effects(art);
    this.view.addChild(
      this.#sea.view,
      this.#heat.view,
      this.#weather.view,
      this.#sensors.view,
      this.#objectives.view,
      this.#tracks.view,
      this.#munitions.view,
      this.#ships.view,
      this.effects.view,
      this.#instruments.view,
      this.#labels.view,
      this.map.view,
    );
  }

  /** Notes a moment; `isNext` if it follows the one shown before. */
  follow(state: TidebreakState, isNext: boolean): void {
    this.#munitions.follow(state.munitions, isNext);
  }

  draw(sight: Sight, targeted: ReadonlySet<string>): void {
    this.#labels.begin();
    this.#sea.draw(sight);
    this.#heat.draw(sight);
    this.#weather.draw(sight);
    this.#sensors.draw(sight, this.#labels);
    this.#objectives.draw(sight, this.#labels);
    this.#ships.draw(sight, this.#labels);
    this.#tracks.draw(sight, this.#labels, targeted);
    this.#munitions.draw(sight);
    this.#instruments.draw(sight, this.#labels);
    this.map.draw(sight, this.#sea.thumbnail);
    this.#labels.end();
  }
}
