import { webSocketUrl } from "../../api/base";
import { type ConsolePicture, readPicture } from "./pictures";

export interface LinkCallbacks {
  onPicture: (picture: ConsolePicture) => void;
  /** The connection is gone; with the server's words where it gave any. */
  onEnd: (detail: string | null) => void;
}

/** The connection to a running console: keys one way, pictures the other. */
export class ConsoleLink {
  readonly #socket: WebSocket;
  #detail: string | null = null;

  constructor(session: string, isPaused: boolean, callbacks: LinkCallbacks) {
    this.#socket = new WebSocket(webSocketUrl(`/ws/consoles/session/${session}?paused=${isPaused}`));
    this.#socket.binaryType = "arraybuffer";
    this.#socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") {
        this.#detail = (JSON.parse(data) as { detail?: string }).detail ?? null;
        return;
      }
      const picture = readPicture(data);
      if (picture !== null) {
        callbacks.onPicture(picture);
        // The server sends no more than a few pictures that were not seen.
        this.send({ seen: picture.number });
      }
    };
    this.#socket.onclose = () => callbacks.onEnd(this.#detail);
  }

  send(command: { keys?: number; paused?: boolean; speed?: number; frames?: number; seen?: number }): void {
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(command));
    }
  }

  close(): void {
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
  }
}
