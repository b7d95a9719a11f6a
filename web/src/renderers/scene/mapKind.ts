import type { Container } from "pixi.js";
import type { Point } from "../geometry";
import type { ManifestSet } from "../manifests";
import type { MountOptions, RenderState, ToolChoices, View } from "../renderer";
import { Art, type ArtWanted } from "./art";
import type { Aim, Camera } from "./camera";

/** One drawing: which moment, from where it is seen, and how far the step to it has got. */
export interface Look<State> {
  now: State;
  /** The moment before, where the step from it is to be seen. */
  before: State | null;
  view: View;
  choices: ToolChoices;
  camera: Camera;
  width: number;
  height: number;
  /** 0..1 of the way from the moment before to this one. */
  share: number;
  clockMs: number;
}

/** What a world draws on its map. */
export interface MapPicture<State> {
  readonly view: Container;
  /** Takes the moment that is shown from now on. */
  follow(look: Look<State>): void;
  aimOf(look: Look<State>): Aim;
  draw(look: Look<State>): void;
  /** Goes on with what plays for a while after a step; returns whether anything still does. */
  play(elapsedMs: number, look: Look<State>): boolean;
  /** Draws what would play at a telling moment and leaves it there. */
  freeze(look: Look<State>): void;
  /** Whether nothing moves by itself between two moments. */
  isCalm(now: State): boolean;
  /** What there is to say about a place of the screen, line by line; null for nothing. */
  pointedLines(look: Look<State>, at: Point): readonly string[] | null;
  /** Answers a click; returns where the camera should look, null to stay. */
  tap(look: Look<State>, at: Point): Point | null;
}

/** What makes a map out of a world. */
export interface MapKind<State> {
  wanted: ArtWanted;
  /** Key of the color around the map. */
  beyond: string;
  /** Free pixels around the map, and above it. */
  marginPx: { around: number; top: number };
  read: (state: RenderState) => State;
  open: (art: Art, options: MountOptions) => MapPicture<State>;
}

/** Loads what the first picture of a map is made of. */
export function loadMapArt(kind: Pick<MapKind<never>, "wanted">, manifests: ManifestSet): Promise<Art> {
  return Art.load(manifests, kind.wanted);
}
