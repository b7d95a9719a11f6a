import { Container, Graphics, Sprite, Texture } from "pixi.js";
import type { Art } from "../../scene/art";
import { type Edges, edgesOf, lampsOf, plantsOf, type Scenery, streetsOf } from "../layout";
import type { Tile, TownMap, ZoneState } from "../state";
import { type Brush, newBrush, shade, stamp } from "./brush";
import { kindOf, paintBuilding, roofColor } from "./buildings";
import { paintLawn, paintMeadow, paintStreets } from "./ground";

const OBJECT_TILES = 1.08;
const SHINGLE = 0.35;
/** Beyond what is painted there is plain grass, in tiles. */
const FAR = 1000;
/** What stands against the northern wall inside, by kind of building. */
const ALONG_WALL: Readonly<Record<string, string>> = { grocer: "shelf", gym: "weights", office: "desk", cafe: "table" };

/** Everything of a town that never moves; it is painted once. */
export class Furniture {
  /** Below people. */
  readonly ground = new Container();
  /** Above people. */
  readonly canopy = new Container();
  readonly roofs = new Graphics();
  /** Where lamps shine, in tiles. */
  lamps: readonly Scenery[] = [];
  readonly #art: Art;
  #map: string | null = null;

  constructor(art: Art) {
    this.#art = art;
  }

  /** Paints a town; nothing happens for the one that is painted already. */
  show(map: TownMap): void {
    const key = JSON.stringify(map);
    if (this.#map === key) {
      return;
    }
    this.#map = key;
    for (const layer of [this.ground, this.canopy]) {
      layer.removeChildren().forEach((child) => void child.destroy());
    }
    const far = new Graphics().rect(-FAR, -FAR, FAR * 2, FAR * 2).fill(this.#art.color("ground.grass"));
    this.ground.addChild(far);
    const edges = edgesOf(map);
    const streets = streetsOf(map);
    const plants = plantsOf(map);
    this.lamps = lampsOf(map, streets);
    this.#paintAround(edges, streets, plants);
    this.#paintTown(map, edges, streets);
    for (const plant of [...plants.filter((one) => isWithin(edges, one)), ...this.lamps]) {
      this.canopy.addChild(this.#sprite(plant));
    }
    this.#drawRoofs(map);
  }

  /** Meadow, wood and the road into town. */
  #paintAround(edges: Edges, streets: readonly Tile[], plants: readonly Scenery[]): void {
    const { brush, area } = paintMeadow(edges, this.#art);
    paintStreets(
      brush,
      streets.filter(([x]) => x <= edges.west),
      this.#art,
    );
    for (const { picture, x, y, width } of plants.filter((one) => !isWithin(edges, one))) {
      stamp(brush.pen, this.#art.texture(`entity.scenery.${picture}`), x, y, width);
    }
    this.#lay(brush.canvas, area);
  }

  /** Streets, lawns, and buildings with what stands in them. */
  #paintTown(map: TownMap, edges: Edges, streets: readonly Tile[]): void {
    const brush = newBrush(edges);
    paintStreets(brush, streets, this.#art);
    map.zones.forEach((zone, index) => {
      if (zone.door === null) {
        paintLawn(brush, zone.rect, this.#art);
      } else {
        paintBuilding(brush, zone, index, this.#art);
        this.#decorate(brush, zone);
      }
    });
    for (const [, type, , x, y] of map.objects) {
      const picture = this.#art.texture(`entity.object.${type}`, "entity.object.thing");
      stamp(brush.pen, picture, x + 0.5, y + 1.02, OBJECT_TILES);
    }
    this.#lay(brush.canvas, edges);
  }

  #decorate({ pen }: Brush, zone: ZoneState): void {
    const [x0, y0, x1, y1] = zone.rect;
    const kind = kindOf(zone);
    if (kind === "home") {
      stamp(pen, this.#art.texture("entity.scenery.rug"), (x0 + x1 + 1) / 2, (y0 + y1) / 2 + 1.3, 2.6);
    }
    const along = ALONG_WALL[kind];
    for (let x = x0 + 1; along !== undefined && x < x1; x += 2) {
      if (zone.door?.[1] !== y0 || zone.door[0] !== x) {
        stamp(pen, this.#art.texture(`entity.scenery.${along}`), x + 0.5, y0 + 1.12, 0.86);
      }
    }
  }

  /** Roofs with four faces, lit from the north-west. */
  #drawRoofs({ zones }: TownMap): void {
    this.roofs.clear();
    zones.forEach(({ rect: [x0, y0, x1, y1], door }, index) => {
      if (door === null) {
        return;
      }
      const [west, north, east, south] = [x0 - 0.2, y0 - 0.3, x1 + 1.2, y1 + 0.75];
      const half = Math.min(east - west, south - north) / 2;
      const [left, right, middle] = [west + half, east - half, (north + south) / 2];
      const color = roofColor(this.#art, index);
      const faces: readonly (readonly [string, number[]])[] = [
        [shade(color, 0.12), [west, north, east, north, right, middle, left, middle]],
        [shade(color, -0.08), [east, north, east, south, right, middle]],
        [shade(color, -0.2), [west, south, east, south, right, middle, left, middle]],
        [color, [west, north, west, south, left, middle]],
      ];
      for (const [light, corners] of faces) {
        this.roofs.poly(corners).fill(light);
      }
      for (let y = north + SHINGLE; y < south; y += SHINGLE) {
        this.roofs.moveTo(west, y).lineTo(east, y);
      }
      this.roofs.stroke({ width: 0.04, color: "#000000", alpha: 0.14 });
      this.roofs.moveTo(left, middle).lineTo(right, middle).stroke({ width: 0.12, color: "#ffffff", alpha: 0.35 });
    });
  }

  #lay(canvas: HTMLCanvasElement, { west, north, east }: Edges): void {
    const sprite = new Sprite(Texture.from({ resource: canvas, autoGenerateMipmaps: true }));
    sprite.position.set(west, north);
    sprite.scale.set((east - west) / canvas.width);
    this.ground.addChild(sprite);
  }

  #sprite({ picture, x, y, width }: Scenery): Sprite {
    const texture = this.#art.texture(`entity.scenery.${picture}`);
    const sprite = new Sprite({ texture, anchor: { x: 0.5, y: 1 } });
    sprite.scale.set(width / Math.max(1, texture.width));
    sprite.position.set(x, y);
    return sprite;
  }
}

function isWithin({ west, north, east, south }: Edges, { x, y }: Scenery): boolean {
  return x > west && x < east && y > north && y < south;
}
