import type { LiveView } from "./LiveStore";

/** The last views of a live world, for looking back; they share everything that did not change between them. */
export class Rewind {
  private readonly views: LiveView[] = [];

  constructor(private readonly most: number) {}

  add(view: LiveView): void {
    const last = this.views.at(-1);
    if (last !== undefined && view.tick < last.tick) {
      this.views.length = 0; // an older state was loaded: what lies ahead of it never happened
    }
    if (last?.tick === view.tick) {
      this.views.pop();
    }
    this.views.push(view);
    if (this.views.length > this.most) {
      this.views.shift();
    }
  }

  get length(): number {
    return this.views.length;
  }

  at(index: number): LiveView | undefined {
    return this.views[index];
  }

  /** Index of the newest view that is not after a tick. */
  indexOfTick(tick: number): number {
    return Math.max(
      0,
      this.views.findLastIndex((view) => view.tick <= tick),
    );
  }
}
