export interface StreamEvent {
  /** The last id the stream has given, which is what a resumption quotes. */
  id: string;
  name: string;
  data: string;
}

/**
 * Splits the text of a server-sent event stream into events, however it was cut on its way.
 *
 * Feed it chunks in order; it keeps an unfinished line, an unfinished event and the last id.
 */
export class EventStreamParser {
  private rest = "";
  private name = "";
  private data: string[] = [];
  private id = "";

  push(chunk: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    // A carriage return at the very end may be the first half of a line break: it waits for the next chunk.
    const text = this.rest + chunk;
    const isHalfBreak = text.endsWith("\r");
    const lines = (isHalfBreak ? text.slice(0, -1) : text).split(/\r\n|\r|\n/);
    this.rest = (lines.pop() ?? "") + (isHalfBreak ? "\r" : "");
    for (const line of lines) {
      if (line === "") {
        this.close(events);
      } else {
        this.readField(line);
      }
    }
    return events;
  }

  private close(events: StreamEvent[]): void {
    if (this.data.length > 0) {
      events.push({ id: this.id, name: this.name || "message", data: this.data.join("\n") });
    }
    this.name = "";
    this.data = [];
  }

  private readField(line: string): void {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") {
      this.name = value;
    } else if (field === "data") {
      this.data.push(value);
    } else if (field === "id" && !value.includes("\0")) {
      this.id = value;
    }
  }
}
