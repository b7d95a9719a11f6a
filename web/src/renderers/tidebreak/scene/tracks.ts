import { Container, Graphics } from "pixi.js";
import type { Labels } from "../../scene/labels";
import type { Iff, TrackState } from "../state";
import { trackName } from "../words";
import { layerRing } from "./rings";
import type { Sight } from "./sight";

/** Half the angle of a cue of which only the bearing is known, radians: three standard errors of a bearing. */
const CUE_HALF_ANGLE = 0.09;
const MARK_PX = 9;
const SHOWN_VELOCITY_S = 60;
const IFF_COLORS: Readonly<Record<Iff, string>> = {
  UNKNOWN: "iff.unknown",
  FRIENDLY_AUTHENTICATED: "iff.friend",
  FRIENDLY_ASSUMED: "iff.friend",
  SUSPECT: "iff.suspect",
  HOSTILE_DECLARED: "iff.hostile",
};

/** Contacts as a side believes them to be: discs of uncertainty, wedges where only a bearing is known. */
export class Tracks {
  readonly view = new Container();
  readonly #doubt = new Graphics();
  readonly #marks = new Graphics();

  constructor() {
    this.view.addChild(this.#doubt, this.#marks);
  }

  draw(sight: Sight, labels: Labels, targeted: ReadonlySet<string>): void {
    this.#doubt.clear();
    this.#marks.clear();
    for (const track of sight.knowledge.tracks) {
      const color = sight.art.color(IFF_COLORS[track.iff]);
      // What has not been seen for a while fades.
      const alpha = Math.max(0.3, 1 - track.age / 60);
      if (track.bearing_only) {
        this.#drawCue(sight, track, color, alpha);
      } else {
        this.#drawDisc(sight, track, color, alpha, targeted.has(track.track));
        if (!track.is_munition) {
          const at = sight.camera.toScreen(track);
          labels.putIfFree(trackName(track), at.x + MARK_PX + 5, at.y - 8, { color, alpha });
        }
      }
    }
  }

  #drawDisc(sight: Sight, track: TrackState, color: string, alpha: number, isTarget: boolean): void {
    const at = sight.camera.toScreen(track);
    const radius = track.sigma * sight.camera.scale;
    this.#doubt
      .circle(at.x, at.y, Math.max(MARK_PX, radius))
      .fill({ color, alpha: 0.13 * alpha })
      .stroke({ width: 1, color, alpha: 0.45 * alpha });
    this.#drawMark(at.x, at.y, track, color, alpha);
    layerRing(this.#marks, at, MARK_PX + 4, track.layer === 3 ? 0 : track.layer, {
      width: 1.4,
      color,
      alpha: track.layer === 3 ? 0.25 : alpha,
    });
    const ahead = sight.camera.toScreen({
      x: track.x + track.vx * SHOWN_VELOCITY_S,
      y: track.y + track.vy * SHOWN_VELOCITY_S,
    });
    this.#marks
      .moveTo(at.x, at.y)
      .lineTo(ahead.x, ahead.y)
      .stroke({ width: 1.2, color, alpha: 0.7 * alpha });
    if (isTarget) {
      this.#drawCross(at.x, at.y, sight.art.color("line.target"));
    }
  }

  /** A diamond for what is hostile or may be, a square for friends. */
  #drawMark(x: number, y: number, track: TrackState, color: string, alpha: number): void {
    const size = track.is_munition ? MARK_PX * 0.5 : MARK_PX * 0.8;
    if (track.iff.startsWith("FRIENDLY")) {
      this.#marks.rect(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6);
    } else {
      this.#marks.poly([x, y - size, x + size, y, x, y + size, x - size, y]);
    }
    this.#marks.fill({ color, alpha: (track.quality >= 2 ? 0.9 : 0.35) * alpha }).stroke({ width: 1.4, color, alpha });
  }

  #drawCross(x: number, y: number, color: string): void {
    const [near, far] = [MARK_PX + 6, MARK_PX + 13];
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      this.#marks.moveTo(x + dx * near, y + dy * near).lineTo(x + dx * far, y + dy * far);
    }
    this.#marks.stroke({ width: 2.2, color });
  }

  /** A wedge from whoever heard it toward where it may be. */
  #drawCue(sight: Sight, track: TrackState, color: string, alpha: number): void {
    const holder = sight.knowledge.units.find((unit) => unit.id === track.holder);
    if (holder === undefined) {
      return;
    }
    const bearing = Math.atan2(track.y - holder.y, track.x - holder.x);
    const reach = Math.hypot(track.x - holder.x, track.y - holder.y) + track.sigma;
    const from = sight.camera.toScreen(holder);
    const edge = (side: number) =>
      sight.camera.toScreen({
        x: holder.x + Math.cos(bearing + side * CUE_HALF_ANGLE) * reach,
        y: holder.y + Math.sin(bearing + side * CUE_HALF_ANGLE) * reach,
      });
    const [left, middle, right] = [edge(1), edge(0), edge(-1)];
    this.#doubt
      .poly([from.x, from.y, left.x, left.y, middle.x, middle.y, right.x, right.y])
      .fill({ color, alpha: 0.16 * alpha })
      .stroke({ width: 1, color, alpha: 0.4 * alpha });
  }
}
