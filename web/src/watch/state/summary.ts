import type { Frame } from "../../api/types";
import { tellingEvents } from "../../renderers/events";
import type { RenderState } from "../../renderers/renderer";

/** The reward of a step; of all seats together where there are several. */
export function rewardOf(frame: Frame): number {
  return typeof frame.reward === "number"
    ? frame.reward
    : frame.reward.reduce<number>((sum, part) => sum + (part ?? 0), 0);
}

/** A few numbers per frame that outlive the frames themselves: what the timeline and the sparklines draw. */
export class Summary {
  readonly length: number;
  readonly metricKeys: readonly string[];
  readonly #rewards: Float64Array;
  readonly #metrics: ReadonlyMap<string, Float64Array>;
  readonly #known: Uint8Array;
  readonly #marks = new Map<string, number[]>();
  #returns: Float64Array | null = null;
  #knownCount = 0;

  constructor(length: number, metricKeys: readonly string[]) {
    this.length = length;
    this.metricKeys = metricKeys;
    this.#rewards = new Float64Array(length);
    this.#metrics = new Map(metricKeys.map((key) => [key, new Float64Array(length).fill(Number.NaN)]));
    this.#known = new Uint8Array(length);
  }

  add(frame: Frame): void {
    const index = frame.frame_index;
    if (index >= this.length || this.#known[index] === 1) {
      return;
    }
    this.#known[index] = 1;
    this.#knownCount += 1;
    this.#rewards[index] = rewardOf(frame);
    this.#returns = null;
    this.addPoint(index, frame);
    for (const name of tellingEvents(frame.events)) {
      const places = this.#marks.get(name) ?? [];
      places.push(index);
      this.#marks.set(name, places);
    }
  }

  /** Adds the metrics of a frame that was only sampled; its reward and events stay unknown. */
  addPoint(index: number, frame: Frame): void {
    const headline = (frame.render_state as RenderState).headline;
    for (const [key, values] of this.#metrics) {
      values[index] = headline[key] ?? Number.NaN;
    }
  }

  get isComplete(): boolean {
    return this.#knownCount === this.length;
  }

  get knownShare(): number {
    return this.length === 0 ? 1 : this.#knownCount / this.length;
  }

  rewards(): Float64Array {
    return this.#rewards;
  }

  /** Sum of rewards up to each frame; true only where everything before is known. */
  returns(): Float64Array {
    if (this.#returns === null) {
      const sums = new Float64Array(this.length);
      let total = 0;
      for (let index = 0; index < this.length; index += 1) {
        total = this.#known[index] === 1 ? total + (this.#rewards[index] ?? 0) : Number.NaN;
        sums[index] = total;
      }
      this.#returns = sums;
    }
    return this.#returns;
  }

  metric(key: string): Float64Array {
    return this.#metrics.get(key) ?? new Float64Array(0);
  }

  /** Frames at which an event happened, as far as they are known, in no particular order. */
  marks(): ReadonlyMap<string, readonly number[]> {
    return this.#marks;
  }
}
