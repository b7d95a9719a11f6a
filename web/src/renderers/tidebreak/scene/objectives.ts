import { Graphics } from "pixi.js";
import type { Labels } from "../../scene/labels";
import { flagship } from "../state";
import { brokenRing } from "./rings";
import type { Sight } from "./sight";

/** Where the commanded ship is told to be. */
export class Objectives {
  readonly view = new Graphics();

  draw({ state, camera, art }: Sight, labels: Labels): void {
    this.view.clear();
    const ship = flagship(state);
    const color = art.color("line.objective");
    for (const objective of state.objective.filter(({ unit }) => unit === ship?.id)) {
      const name = objective.type.charAt(0) + objective.type.slice(1).toLowerCase();
      if (objective.zone !== null && objective.zone.vertices.length === 0) {
        const at = camera.toScreen(objective.zone);
        brokenRing(this.view, at, objective.zone.radius * camera.scale, { parts: 36, share: 0.6 }, { width: 2, color });
        labels.put(name, at.x, at.y - 6, { anchor: 0.5, color });
      }
      if (objective.destination !== null && ship !== undefined) {
        const [from, to] = [
          camera.toScreen(ship),
          camera.toScreen({ x: objective.destination[0], y: objective.destination[1] }),
        ];
        this.view.moveTo(from.x, from.y).lineTo(to.x, to.y).stroke({ width: 1, color, alpha: 0.3 });
        this.view.poly([to.x, to.y - 9, to.x + 8, to.y, to.x, to.y + 9, to.x - 8, to.y]).stroke({ width: 2, color });
        labels.put(name, to.x + 12, to.y - 7, { color });
      }
    }
  }
}
