import { ApiError } from "../../api/errors";
import type { Frame } from "../../api/types";
import type { Diary } from "../../renderers/diary";
import type { RenderState } from "../../renderers/renderer";
import type { FrameSource } from "../transport/frames";
import { BLOCK_FRAMES, blockOf, evictions, nextSpan, type Span, unreadSpan, WHOLE_FRAMES } from "./blocks";
import type { ReplayRef } from "./deepLink";
import { Summary } from "./summary";
import { frameAtTick } from "./tickSearch";

/** Points of the value curve of a long replay that are fetched one by one. */
const SAMPLES = 120;
const NOTIFY_MS = 60;
/** A server that is away is asked again after this long. */
const RETRY_MS = 2000;

export interface ReplayShape {
  ref: ReplayRef;
  frames: number;
  ticks: number;
  metricKeys: readonly string[];
}

interface Block {
  frames: (Frame | undefined)[];
  filled: number;
  size: number;
}

/** Loads the frames of one replay around the frame on screen and keeps a window of them. */
export class FrameStore {
  readonly shape: ReplayShape;
  readonly summary: Summary;
  /** What is remembered of every moment; absent in a world that remembers nothing. */
  readonly diary: Diary | null;
  readonly #stream: FrameSource;
  readonly #singles: FrameSource;
  readonly #picture: Promise<unknown>;
  readonly #blocks = new Map<number, Block>();
  readonly #listeners = new Set<() => void>();
  #target = 0;
  #version = 0;
  #load: AbortController | null = null;
  #loading: { next: number; stop: number } | null = null;
  #notifyTimer: number | null = null;
  #retryTimer: number | null = null;
  #sampling: AbortController | null = null;
  #isClosed = false;
  failure: Error | null = null;

  /**
   * Args:
   *   shape: What is known about the replay before any frame is there.
   *   stream: Brings stretches of frames.
   *   singles: Brings single frames, for searching and sampling.
   *   picture: Resolves when the frame on screen has been drawn; reading the frames ahead would hold that up.
   *   diary: Remembers the moments; the frames before the one on screen are read for it, and kept only near the screen.
   */
  constructor(
    shape: ReplayShape,
    stream: FrameSource,
    singles: FrameSource = stream,
    picture: Promise<unknown> = Promise.resolve(),
    diary: Diary | null = null,
  ) {
    this.shape = shape;
    this.diary = diary;
    this.#picture = picture;
    this.#stream = stream;
    this.#singles = singles;
    this.summary = new Summary(shape.frames, shape.metricKeys);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Grows whenever something was loaded or failed. */
  readonly version = (): number => this.#version;

  get isLoading(): boolean {
    return this.#load !== null;
  }

  frame(index: number): Frame | undefined {
    return this.#blocks.get(blockOf(index))?.frames[index % BLOCK_FRAMES];
  }

  /** Says which frame is on screen; an older load makes way if it would not bring that frame next. */
  want(index: number): void {
    this.#target = index;
    const loading = this.#loading;
    const isComing =
      loading !== null &&
      index >= loading.next - BLOCK_FRAMES &&
      index < Math.min(loading.stop, loading.next + 2 * BLOCK_FRAMES);
    if (loading !== null && this.frame(index) === undefined && !isComing) {
      this.#load?.abort();
      this.#load = null;
      this.#loading = null;
    }
    this.#pump();
  }

  retry(): void {
    this.failure = null;
    this.#notify();
    this.#pump();
  }

  /** Returns the first frame at or after a tick. */
  frameAtTick(tick: number, signal: AbortSignal): Promise<number> {
    const look = async (index: number) => {
      const known = this.frame(index);
      if (known !== undefined) {
        return known.t;
      }
      return (await this.#single(index, signal))?.t ?? 0;
    };
    return frameAtTick(tick, this.shape.frames, this.shape.ticks, look);
  }

  close(): void {
    this.#isClosed = true;
    this.#load?.abort();
    this.#sampling?.abort();
    window.clearTimeout(this.#notifyTimer ?? undefined);
    window.clearTimeout(this.#retryTimer ?? undefined);
  }

  #isLoaded = (block: number): boolean => {
    const known = this.#blocks.get(block);
    return known !== undefined && known.filled === known.size;
  };

  #pump(): void {
    if (this.#isClosed || this.#load !== null || this.failure !== null) {
      return;
    }
    const span = nextSpan(this.#target, this.shape.frames, this.#isLoaded) ?? this.#unread();
    if (span === null) {
      this.#sampleLongReplay();
      return;
    }
    const load = new AbortController();
    this.#load = load;
    this.#loading = { next: span.offset, stop: span.offset + span.limit };
    void this.#run(span.offset, span.limit, load);
  }

  #unread(): Span | null {
    // The opening comes before the first frame.
    return this.diary === null ? null : unreadSpan(this.diary.gap - 1, this.#target);
  }

  async #run(offset: number, limit: number, load: AbortController): Promise<void> {
    try {
      for await (const frames of this.#stream(this.shape.ref, offset, limit, load.signal)) {
        if (load.signal.aborted) {
          return;
        }
        this.#store(frames);
        if (this.frame(this.#target) !== undefined) {
          await this.#picture;
        }
      }
    } catch (reason) {
      if (!load.signal.aborted) {
        this.#fail(reason instanceof Error ? reason : new Error(String(reason)));
      }
    }
    if (this.#load === load) {
      this.#load = null;
      this.#loading = null;
      this.#notify();
      this.#pump();
    }
  }

  #fail(failure: Error): void {
    this.failure = failure;
    if (failure instanceof ApiError && failure.isUnreachable && !this.#isClosed) {
      this.#retryTimer = window.setTimeout(() => this.retry(), RETRY_MS);
    }
  }

  #store(frames: readonly Frame[]): void {
    const isAwaited = this.frame(this.#target) === undefined;
    for (const frame of frames) {
      this.summary.add(frame);
      this.diary?.put(frame.frame_index + 1, frame.render_state as RenderState);
      const block = this.#block(blockOf(frame.frame_index));
      const place = frame.frame_index % BLOCK_FRAMES;
      block.filled += block.frames[place] === undefined ? 1 : 0;
      block.frames[place] = frame;
      if (this.#loading !== null) {
        this.#loading.next = frame.frame_index + 1;
      }
    }
    for (const block of evictions([...this.#blocks.keys()], this.#target, this.shape.frames)) {
      this.#blocks.delete(block);
    }
    this.#notify(isAwaited && this.frame(this.#target) !== undefined);
  }

  #block(index: number): Block {
    const known = this.#blocks.get(index);
    if (known !== undefined) {
      return known;
    }
    const size = Math.min(BLOCK_FRAMES, this.shape.frames - index * BLOCK_FRAMES);
    const block: Block = { frames: new Array<Frame | undefined>(size), filled: 0, size };
    this.#blocks.set(index, block);
    return block;
  }

  /** A long replay is not loaded whole; its curve is drawn from single frames taken evenly. */
  #sampleLongReplay(): void {
    if (this.#sampling !== null || this.shape.frames <= WHOLE_FRAMES) {
      return;
    }
    this.#sampling = new AbortController();
    void this.#sample(this.#sampling.signal);
  }

  async #sample(signal: AbortSignal): Promise<void> {
    for (let point = 0; point <= SAMPLES && !signal.aborted; point += 1) {
      const index = Math.round((point / SAMPLES) * (this.shape.frames - 1));
      // A sample that does not come leaves a gap; the stream reports what is wrong.
      const frame = await this.#single(index, signal).catch(() => undefined);
      if (frame !== undefined) {
        this.summary.addPoint(index, frame);
        this.#notify();
      }
    }
  }

  async #single(index: number, signal: AbortSignal): Promise<Frame | undefined> {
    for await (const frames of this.#singles(this.shape.ref, index, 1, signal)) {
      return frames[0];
    }
    return undefined;
  }

  /** Portions arrive quickly; listeners hear of them a few times a second, and at once of the frame on screen. */
  #notify(isAtOnce = false): void {
    this.#version += 1;
    if (isAtOnce) {
      this.#tell();
    } else {
      this.#notifyTimer ??= window.setTimeout(() => this.#tell(), NOTIFY_MS);
    }
  }

  #tell(): void {
    window.clearTimeout(this.#notifyTimer ?? undefined);
    this.#notifyTimer = null;
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
