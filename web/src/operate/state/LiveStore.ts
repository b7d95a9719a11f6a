import { type JsonObject, numberAt, objectAt } from "./json";
import { mergedObject } from "./mergePatch";
import { type Envelope, type LiveEvent, MAJOR_VERSION, MINOR_VERSION, type Narration } from "./messages";

const EVENTS_KEPT = 400;
const NARRATIONS_KEPT = 120;
const TREND_TICKS = 100;
/** A page is not drawn more often than this, however fast time passes. */
const SHOWN_EVERY_MS = 100;
/** A page that takes long to draw rests as long, at most this: what came meanwhile must be read, too. */
const LONGEST_REST_MS = 250;
/** A page that nobody sees is never drawn; whoever listens is told after so long all the same. */
const UNSEEN_MS = 1000;

/** What is known of a live world at a moment; parts that have not changed are the same objects as before. */
export interface LiveView {
  world: string;
  runId: string;
  configId: string;
  schemaVersion: string;
  tick: number;
  day: number;
  tod: number;
  state: JsonObject;
  /** Newest last. */
  events: readonly LiveEvent[];
  narrations: readonly Narration[];
  /** By citizen, the last hundred values of every need. */
  trends: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  /** When the newest message came, by the clock of this page. */
  receivedAt: number;
}

export type Verdict = "applied" | "waiting" | "gap" | "other-version";

/**
 * Rebuilds the state of a live world from its messages.
 *
 * After a gap everything is left as it is until the next snapshot: half of a state would be worse than an old one.
 */
export class LiveStore {
  private view: LiveView | null = null;
  private seq: number | null = null;
  private readonly listeners = new Set<() => void>();
  private shown: LiveView | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextAt = Number.NEGATIVE_INFINITY;
  private isDrawing = false;
  /** Whether the server speaks a newer minor version than this page was written for. */
  isNewerMinor = false;

  /** What is on the page. */
  readonly current = (): LiveView | null => this.shown;

  /** What came last, whether it has been drawn or not. */
  readonly newest = (): LiveView | null => this.view;

  readonly listen = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  take(message: Envelope, receivedAt: number): Verdict {
    const [major, minor = "0"] = message.schema_version.split(".");
    if (major !== MAJOR_VERSION) {
      return "other-version";
    }
    this.isNewerMinor = Number(minor) > MINOR_VERSION;
    if (message.payload_type === "snapshot") {
      this.replace(message, message.state ?? {}, receivedAt);
      return "applied";
    }
    if (this.view === null || this.seq === null) {
      return "waiting";
    }
    if (message.payload_type === "diff" && message.base_seq !== this.seq) {
      this.seq = null;
      return "gap";
    }
    const state =
      message.payload_type === "diff" ? mergedObject(this.view.state, message.state ?? {}) : this.view.state;
    this.replace(message, state, receivedAt);
    return "applied";
  }

  private replace(message: Envelope, state: JsonObject, receivedAt: number): void {
    const before = this.view;
    this.seq = message.seq;
    this.view = {
      world: message.world,
      runId: message.run_id,
      configId: message.config_id,
      schemaVersion: message.schema_version,
      tick: message.tick,
      day: message.day,
      tod: message.tod,
      state,
      events: appended(before?.events ?? [], message.events ?? [], EVENTS_KEPT),
      narrations: appended(before?.narrations ?? [], message.narrations ?? [], NARRATIONS_KEPT),
      trends:
        before === null || before.tick !== message.tick ? trendsAfter(before?.trends ?? {}, state) : before.trends,
      receivedAt,
    };
    this.showSoon();
  }

  /** The first message is shown at once; of those that come thick and fast, the newest ten times a second. */
  private showSoon(): void {
    if (this.isDrawing || this.timer !== undefined) {
      return;
    }
    const wait = this.nextAt - performance.now();
    if (wait <= 0) {
      this.show();
    } else {
      this.timer = setTimeout(() => this.show(), wait);
    }
  }

  private show(): void {
    const begun = performance.now();
    this.timer = undefined;
    this.nextAt = begun + SHOWN_EVERY_MS;
    this.shown = this.view;
    this.isDrawing = true;
    for (const listener of this.listeners) {
      listener();
    }
    let frame = 0;
    const rest = () => {
      cancelAnimationFrame(frame);
      clearTimeout(unseen);
      this.rest(begun);
    };
    const unseen = setTimeout(rest, UNSEEN_MS);
    // The callback after the next one runs once this has been handed to the screen.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(rest);
    });
  }

  private rest(begun: number): void {
    if (!this.isDrawing) {
      return;
    }
    const now = performance.now();
    this.isDrawing = false;
    this.nextAt = Math.max(this.nextAt, now + Math.min(LONGEST_REST_MS, now - begun));
    if (this.shown !== this.view) {
      this.showSoon();
    }
  }
}

function appended<Item>(before: readonly Item[], added: readonly Item[], most: number): readonly Item[] {
  return added.length === 0 ? before : [...before, ...added].slice(-most);
}

function trendsAfter(before: LiveView["trends"], state: JsonObject): LiveView["trends"] {
  const after: Record<string, Record<string, readonly number[]>> = {};
  for (const [id, agent] of Object.entries(objectAt(state, "agents"))) {
    const trend: Record<string, readonly number[]> = {};
    for (const need of Object.keys(objectAt(agent, "needs"))) {
      const value = numberAt(agent, "needs", need);
      trend[need] = value === null ? [] : [...(before[id]?.[need] ?? []), value].slice(-TREND_TICKS);
    }
    after[id] = trend;
  }
  return after;
}
