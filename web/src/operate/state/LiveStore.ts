import { type JsonObject, numberAt, objectAt } from "./json";
import { mergedObject } from "./mergePatch";
import { type Envelope, type LiveEvent, MAJOR_VERSION, MINOR_VERSION, type Narration } from "./messages";

const EVENTS_KEPT = 400;
const NARRATIONS_KEPT = 120;
const TREND_TICKS = 100;
/** A page is not drawn more often than this, however fast time passes. */
const SHOWN_EVERY_MS = 100;
/** Drawing leaves this many times as long to everything else. */
const BREATHER = 3;

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
  private shownAt = Number.NEGATIVE_INFINITY;
  private interval = SHOWN_EVERY_MS;
  /** Whether the server speaks a newer minor version than this page was written for. */
  isNewerMinor = false;

  readonly current = (): LiveView | null => this.shown;

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
    this.showSoon(receivedAt);
  }

  /** The first message is shown at once; of those that come thick and fast, the newest ten times a second. */
  private showSoon(now: number): void {
    const wait = this.shownAt + this.interval - now;
    if (wait <= 0) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.show(now);
    } else {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.show(now + wait);
      }, wait);
    }
  }

  private show(now: number): void {
    this.shownAt = now;
    this.shown = this.view;
    for (const listener of this.listeners) {
      listener();
    }
    this.measureDrawing();
  }

  /** Where a picture takes long to draw, it is drawn less often, so that the page can still be used. */
  private measureDrawing(): void {
    const begun = performance.now();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.interval = Math.max(SHOWN_EVERY_MS, BREATHER * (performance.now() - begun));
      }),
    );
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
