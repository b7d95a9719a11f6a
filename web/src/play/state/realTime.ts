import type { SessionState, WorldDescriptor } from "../../api/types";
import type { Pixels } from "../../renderers/renderer";

/** Whether a world is stepped by the clock instead of by decisions. */
export function isRealTime(descriptor: WorldDescriptor): boolean {
  return descriptor.real_time;
}

export interface Moment {
  state: SessionState;
  isPaused: boolean;
  pixels: readonly Pixels[];
}

export interface SocketCallbacks {
  onMoment: (moment: Moment) => void;
  onError: (detail: string) => void;
}

type SocketMessage =
  | (SessionState & { type: "state"; paused: boolean })
  | { type: "complete" }
  | { type: "error"; detail: string };

/** Reads the socket of a session; a state is handed on when the pictures that follow it have come. */
export class SocketReader {
  readonly #callbacks: SocketCallbacks;
  #waiting: { state: SessionState; isPaused: boolean; pixels: Pixels[] } | null = null;

  constructor(callbacks: SocketCallbacks) {
    this.#callbacks = callbacks;
  }

  read(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.#addPicture(new Uint8Array(data));
      return;
    }
    const message = JSON.parse(data) as SocketMessage;
    if (message.type === "state") {
      this.#waiting = { state: message, isPaused: message.paused, pixels: [] };
      this.#handOn();
    } else if (message.type === "error") {
      this.#callbacks.onError(message.detail);
    }
  }

  #addPicture(bytes: Uint8Array): void {
    const field = this.#waiting?.state.pictures[this.#waiting.pixels.length];
    if (field !== undefined) {
      this.#waiting?.pixels.push({ ...field, bytes });
      this.#handOn();
    }
  }

  #handOn(): void {
    if (this.#waiting !== null && this.#waiting.pixels.length === this.#waiting.state.pictures.length) {
      this.#callbacks.onMoment(this.#waiting);
      this.#waiting = null;
    }
  }
}
