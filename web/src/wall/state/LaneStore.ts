import type { WallOpening, WallPictures } from "./messages";

type Listener = (lanes: Iterable<number>, marks: Uint8Array) => void;

/** What every copy showed last; the server sends only what changes. */
export class LaneStore {
  readonly opening: WallOpening;
  readonly #bytes: Uint8Array;
  readonly #listeners = new Set<Listener>();

  constructor(opening: WallOpening) {
    this.opening = opening;
    this.#bytes = new Uint8Array(opening.copies * opening.bytes_per_picture);
  }

  /** Returns the picture of a copy. */
  picture(lane: number): Uint8Array {
    const size = this.opening.bytes_per_picture;
    return this.#bytes.subarray(lane * size, (lane + 1) * size);
  }

  take({ lanes, marks, bytes }: WallPictures): void {
    const size = this.opening.bytes_per_picture;
    for (const [at, lane] of lanes.entries()) {
      this.#bytes.set(bytes.subarray(at * size, (at + 1) * size), lane * size);
    }
    for (const listener of this.#listeners) {
      listener(lanes, marks);
    }
  }

  /** Tells which copies show something new, and how episodes ended, until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
