import { Graphics } from "pixi.js";
import type { Point } from "../../geometry";
import type { CitizenState } from "../state";
import { type Sight, toScreen } from "./sight";

const DOT_PX = 7;
/** Ties weaker than this are not drawn. */
const FAINT = 0.05;

/** Lines over the town: who likes whom, who goes where, who waits for what, and how far it has got. */
export class Lines {
  readonly view = new Graphics();

  draw(sight: Sight): void {
    this.view.clear();
    const { look, state, subject } = sight;
    if (look.choices.ties === true) {
      this.#ties(sight);
    }
    for (const citizen of state.citizens) {
      if (look.choices.plans === true || citizen === subject) {
        this.#plan(sight, citizen);
      }
    }
    this.#turns(sight);
  }

  #ties({ state, stands, art, ...sight }: Sight): void {
    for (const citizen of state.citizens) {
      const from = stands.get(citizen.seat);
      for (const [seat, trust, familiarity, rivalry] of citizen.ties) {
        const to = stands.get(seat);
        const liking = (trust + familiarity) / 2;
        if (from === undefined || to === undefined || Math.max(Math.abs(liking), rivalry) < FAINT) {
          continue;
        }
        const isRival = rivalry > liking;
        const [one, other] = [toScreen(sight, from.x, from.y - 0.5), toScreen(sight, to.x, to.y - 0.5)];
        this.view
          .moveTo(one.x, one.y)
          .lineTo(other.x, other.y)
          .stroke({
            width: 1 + 4 * Math.min(1, isRival ? rivalry : liking),
            color: art.color(isRival ? "tie.rivalry" : "tie.trust"),
            alpha: 0.75,
          });
      }
    }
  }

  #plan({ stands, art, ...sight }: Sight, { seat, goal }: CitizenState): void {
    const from = stands.get(seat);
    if (goal === null || from === undefined) {
      return;
    }
    const [start, end] = [toScreen(sight, from.x, from.y), toScreen(sight, goal[0] + 0.5, goal[1] + 0.5)];
    const color = art.color("line.plan");
    dots(start, end, (x, y) => this.view.circle(x, y, 1.6).fill({ color, alpha: 0.75 }));
    this.view.circle(end.x, end.y, 5).stroke({ width: 2, color, alpha: 0.85 });
  }

  /** Queues as dotted lines to what is waited for, and a dial over what is being used. */
  #turns({ state, stands, ...sight }: Sight): void {
    for (const { object, queue = [], doing, remaining, duration } of state.things) {
      const row = state.map.objects[object];
      if (row === undefined) {
        continue;
      }
      const at = toScreen(sight, row[3] + 0.5, row[4] + 0.5);
      for (const seat of queue) {
        const stand = stands.get(seat);
        if (stand !== undefined) {
          const from = toScreen(sight, stand.x, stand.y - 0.3);
          dots(from, at, (x, y) => this.view.circle(x, y, 1.8).fill({ color: "#ffb347", alpha: 0.95 }));
        }
      }
      // Sleepers show that they sleep.
      if (remaining !== undefined && duration !== undefined && doing !== "rest_sleep") {
        this.#dial(at, 1 - remaining / Math.max(1, duration), sight.look.camera.scale);
      }
    }
  }

  #dial(at: Point, share: number, scale: number): void {
    const [x, y, radius] = [at.x + scale * 0.42, at.y - scale * 0.42, Math.max(5, scale * 0.2)];
    const top = -Math.PI / 2;
    this.view.circle(x, y, radius + 1.5).fill({ color: "#1b2130", alpha: 0.85 });
    this.view
      .moveTo(x, y)
      .arc(x, y, radius, top, top + share * Math.PI * 2)
      .fill({ color: "#7ee29b" });
  }
}

function dots(from: Point, to: Point, draw: (x: number, y: number) => void): void {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const count = Math.floor(Math.hypot(dx, dy) / DOT_PX);
  for (let dot = 1; dot < count; dot += 1) {
    draw(from.x + (dx * dot) / count, from.y + (dy * dot) / count);
  }
}
