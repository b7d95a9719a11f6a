import type { Arrays, RowBlock } from "./rows";
import type { Decided, LoadedPolicy } from "./runtime";

/** A decision that is about to be taken in a session. */
export interface Question {
  sessionId: string;
  /** Grows whenever decisions are taken back or another episode is opened: then what was remembered never was. */
  rewrites: number;
  /** Decisions taken so far. */
  steps: number;
  /** What the seats see, where that is known already. */
  now: Arrays | null;
}

/** Tells what seats saw before earlier decisions of a session, and see now. */
export type RowSource = (question: Question, first: number) => Promise<RowBlock>;

interface Thought {
  episode: string;
  steps: number;
  decided: Decided;
}

/**
 * A policy in some seats of a session. One with memory has seen every decision of the episode, also those that were
 * taken before it was asked.
 */
export class PolicyMind {
  readonly #policy: LoadedPolicy;
  readonly #seats: number;
  readonly #source: RowSource;
  #last: Thought | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(policy: LoadedPolicy, seats: number, source: RowSource) {
    this.#policy = policy;
    this.#seats = seats;
    this.#source = source;
  }

  /** Returns what the policy decides, one row per seat. */
  think(question: Question): Promise<Decided> {
    const mine = this.#turn.then(() => this.#think(question));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #think(question: Question): Promise<Decided> {
    const episode = `${question.sessionId} ${question.rewrites}`;
    const last = this.#last?.episode === episode && this.#last.steps <= question.steps ? this.#last : null;
    if (last?.steps === question.steps) {
      return last.decided;
    }
    const hasMemory = this.#policy.memoryWidth > 0;
    let memory = last?.decided.memory ?? new Float32Array(this.#seats * this.#policy.memoryWidth);
    let next = hasMemory ? (last === null ? 0 : last.steps + 1) : question.steps;
    for (;;) {
      for (const arrays of await this.#rows(question, next)) {
        const decided = await this.#policy.decide(this.#seats, arrays, memory);
        this.#last = { episode, steps: next, decided };
        if (next === question.steps) {
          return decided;
        }
        memory = decided.memory;
        next += 1;
      }
    }
  }

  async #rows(question: Question, first: number): Promise<readonly Arrays[]> {
    if (first === question.steps && question.now !== null) {
      return [question.now];
    }
    const { decisions } = await this.#source(question, first);
    if (decisions.length === 0) {
      throw new Error(`The server tells nothing about decision ${first}.`);
    }
    return decisions;
  }
}
