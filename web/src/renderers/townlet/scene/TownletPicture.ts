import { Container } from "pixi.js";
import type { Point } from "../../geometry";
import type { MountOptions } from "../../renderer";
import type { Art } from "../../scene/art";
import type { Aim } from "../../scene/camera";
import { Labels } from "../../scene/labels";
import type { Look, MapKind, MapPicture } from "../../scene/mapKind";
import { aimOf } from "../aims";
import { pickAt } from "../picks";
import { asTownlet, type TownletState } from "../state";
import { Badges } from "./badges";
import { Furniture } from "./furniture";
import { Light } from "./light";
import { Lines } from "./lines";
import { Marks } from "./marks";
import { Notices } from "./notices";
import { citizenNear, pointedLines } from "./pointed";
import { makeSight } from "./sight";
import { Townsfolk } from "./townsfolk";

type Looking = Look<TownletState>;

/** A town seen from above with its roofs off, by day and by night. */
class TownletPicture implements MapPicture<TownletState> {
  readonly view = new Container();
  readonly #art: Art;
  readonly #options: MountOptions;
  readonly #furniture: Furniture;
  readonly #town = new Container();
  readonly #folk = new Townsfolk();
  readonly #light = new Light();
  readonly #lines = new Lines();
  readonly #labels = new Labels();
  readonly #badges = new Badges();
  readonly #marks: Marks;
  readonly #notices: Notices;
  #followed: TownletState | null = null;

  constructor(art: Art, options: MountOptions) {
    this.#art = art;
    this.#options = options;
    this.#furniture = new Furniture(art);
    this.#marks = new Marks(art);
    this.#notices = new Notices(art);
    this.#town.addChild(
      this.#furniture.ground,
      this.#light.view,
      this.#folk.view,
      this.#furniture.canopy,
      this.#furniture.roofs,
    );
    this.view.addChild(
      this.#town,
      this.#lines.view,
      this.#badges.view,
      this.#labels.view,
      this.#marks.view,
      this.#notices.view,
    );
  }

  follow(look: Looking): void {
    if (look.now !== this.#followed) {
      this.#followed = look.now;
      this.#furniture.show(look.now.map);
      this.#marks.start(look.now, this.#options.manifests.effects, look.before !== null);
    }
  }

  aimOf(look: Looking): Aim {
    return aimOf(look.now, look.view.subject, `${look.choices.camera ?? "town"}`);
  }

  draw(look: Looking): void {
    const sight = makeSight(look, this.#art);
    const corner = look.camera.toScreen({ x: 0, y: 0 });
    this.#town.position.set(corner.x, corner.y);
    this.#town.scale.set(look.camera.scale);
    this.#furniture.roofs.visible = look.choices.roofs === true;
    this.#folk.draw(sight);
    this.#light.draw(sight, this.#furniture, this.#folk.view);
    this.#lines.draw(sight);
    this.#labels.begin();
    this.#badges.draw(sight, this.#labels);
    this.#labels.end();
    this.#notices.draw(sight);
  }

  play(elapsedMs: number, look: Looking): boolean {
    return this.#marks.tick(elapsedMs, makeSight(look, this.#art));
  }

  freeze(look: Looking): void {
    this.#marks.freeze(makeSight(look, this.#art));
  }

  isCalm(now: TownletState): boolean {
    return now.perturbations.length === 0;
  }

  pointedLines(look: Looking, at: Point): readonly string[] | null {
    return pointedLines(makeSight(look, this.#art), at);
  }

  /** A click on somebody looks at them; elsewhere it sends the one who is led. */
  tap(look: Looking, at: Point): Point | null {
    const citizen = citizenNear(makeSight(look, this.#art), at);
    if (citizen !== undefined && citizen.seat !== look.now.seat) {
      this.#options.onSubject?.(citizen.id);
      return null;
    }
    const world = look.camera.toWorld(at);
    const picked = pickAt(look.now, [Math.floor(world.x), Math.floor(-world.y)]);
    if (picked !== null) {
      this.#options.onPick?.(picked);
    } else if (citizen !== undefined) {
      this.#options.onSubject?.(citizen.id);
    }
    return null;
  }
}

export const TOWNLET_MAP: MapKind<TownletState> = {
  // Pictures of things and people; those of what happens are not needed to begin with.
  wanted: { first: /^entity\.|^icon\./, later: /^vfx\./ },
  beyond: "ground.beyond",
  // The tools of the picture lie over its upper edge.
  marginPx: { around: 4, top: 40 },
  read: asTownlet,
  open: (art, options) => new TownletPicture(art, options),
};
