import { Graphics } from "pixi.js";
import type { Labels } from "../../scene/labels";
import { flagship, ownOf } from "../state";
import { GROUPS, kilometers } from "../words";
import { brokenRing } from "./rings";
import type { Sight } from "./sight";

/** What the ship can see and reach, and who holds which contact. */
export class Sensors {
  readonly view = new Graphics();

  draw(sight: Sight, labels: Labels): void {
    this.view.clear();
    if (sight.hasSensors) {
      this.#drawRanges(sight, labels);
      this.#drawHolders(sight);
    }
  }

  #drawRanges(sight: Sight, labels: Labels): void {
    const { state, camera, art } = sight;
    const unit = flagship(state);
    const own = ownOf(state, unit);
    if (unit === undefined || !sight.knowledge.units.includes(unit)) {
      return;
    }
    const at = camera.toScreen(unit);
    const rings = [
      { name: "Sight", range_m: state.weather.visibility_km * 1000, color: art.color("line.sight"), parts: 60 },
      ...(own?.weapons ?? [])
        .filter((weapon) => weapon.range_m > 0 && weapon.mounts > 0)
        .map((weapon) => ({
          name: GROUPS[weapon.group],
          range_m: weapon.range_m,
          color: art.color("line.range"),
          parts: 90,
        })),
    ];
    for (const { name, range_m, color, parts } of rings) {
      const radius = range_m * camera.scale;
      brokenRing(this.view, at, radius, { parts, share: 0.45 }, { width: 1.2, color, alpha: 0.6 });
      const aside = radius * Math.SQRT1_2;
      labels.put(`${name} ${kilometers(range_m)}`, at.x + aside + 3, at.y + aside + 1, { color, size: 10 });
    }
  }

  #drawHolders({ knowledge, camera, teamColor }: Sight): void {
    for (const track of knowledge.tracks) {
      const holder = knowledge.units.find((unit) => unit.id === track.holder);
      if (holder !== undefined && !track.bearing_only) {
        const [from, to] = [camera.toScreen(holder), camera.toScreen(track)];
        this.view
          .moveTo(from.x, from.y)
          .lineTo(to.x, to.y)
          .stroke({ width: 1, color: teamColor(holder.team), alpha: 0.28 });
      }
    }
  }
}
