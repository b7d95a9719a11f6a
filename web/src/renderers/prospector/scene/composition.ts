import { Container } from "pixi.js";
import type { Role } from "../../renderer";
import type { Art } from "../../scene/art";
import type { Screen } from "../../scene/screen";
import { EffectPlayer } from "../effects/player";
import { RockCard } from "./card";
import { Craft } from "./craft";
import { Field } from "./field";
import { Markers } from "./markers";
import { MiniMap } from "./minimap";
import { PlaceLabel } from "./placeLabel";
import { Sky } from "./sky";

/** What the picture is made of. */
export interface Scene {
  screen: Screen;
  art: Art;
  sky: Sky;
  /** What scales with the picture: the ship and everything around it. */
  world: Container;
  field: Field;
  craft: Craft;
  effects: EffectPlayer;
  markers: Markers;
  map: MiniMap;
  card: RockCard;
  label: PlaceLabel;
}

/** Told when the pointer does something. */
export interface Pointing {
  onPick: (action: string) => void;
  /** With the slot of the rock under the pointer. */
  onRock: (slot: number | null) => void;
  /** What is under the pointer has changed. */
  onHover: () => void;
}

/** Makes all parts and puts them on the stage, the farthest first. */
export function composeScene(screen: Screen, art: Art, role: Role, pointing: Pointing): Scene {
  const label = new PlaceLabel(art);
  const name = (text: string | null) => {
    label.hover(text);
    pointing.onHover();
  };
  const scene: Scene = {
    screen,
    art,
    sky: new Sky(art),
    world: new Container(),
    field: new Field(art, {
      onPick: (slot) => pointing.onPick(`SELECT_ASTEROID_${slot}`),
      onHover: (slot) => {
        pointing.onRock(slot);
        pointing.onHover();
      },
    }),
    craft: new Craft(art, role),
    effects: new EffectPlayer(art),
    markers: new Markers(art),
    map: new MiniMap(art, (slot) => pointing.onPick(`TRAVEL_NEIGHBOR_${slot}`), name),
    card: new RockCard(art),
    label,
  };
  scene.world.addChild(scene.markers.fog, scene.field.view, scene.craft.view, scene.effects.view);
  screen.stage.addChild(
    scene.sky.view,
    scene.world,
    scene.field.labels,
    scene.card.view,
    scene.map.view,
    label.view,
    scene.markers.view,
  );
  return scene;
}
