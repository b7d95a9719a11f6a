import type { ComponentType } from "react";
import { EmptyScene } from "./EmptyScene";
import { GameboyScene } from "./GameboyScene";
import { MorphogenesisScene } from "./MorphogenesisScene";
import { ProspectorScene } from "./ProspectorScene";
import { TidebreakScene } from "./TidebreakScene";
import { TownletScene } from "./TownletScene";

const SCENES: Record<string, ComponentType> = {
  prospector: ProspectorScene,
  tidebreak: TidebreakScene,
  townlet: TownletScene,
  gameboy: GameboyScene,
  morphogenesis: MorphogenesisScene,
};

export function sceneOf(world: string): ComponentType {
  return SCENES[world] ?? EmptyScene;
}
