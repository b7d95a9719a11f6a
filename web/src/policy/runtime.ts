import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import { type PolicyFacts, PolicyRefused, readFacts } from "./facts";
import type { Arrays } from "./rows";

/** What a policy decides for every row it was given. */
export interface Decided {
  /** One option per head, for every row. */
  actions: readonly (readonly number[])[];
  /** Over the options of all heads, for every row. */
  probabilities: readonly (readonly number[])[];
  values: readonly number[];
  /** What it remembers at the next decision; empty without memory. */
  memory: Float32Array;
}

/** A policy that decides on this machine. */
export interface LoadedPolicy {
  facts: PolicyFacts;
  /** Numbers that are remembered for one row; 0 without memory. */
  memoryWidth: number;
  decide: (rows: number, arrays: Arrays, memory: Float32Array) => Promise<Decided>;
  release: () => Promise<void>;
}

const FLOATS: readonly string[] = ["obs", "memory"];
const NEEDED = ["actions", "probabilities", "values"] as const;

/** The runtime is large: it is fetched when the first policy is opened. */
async function runtime() {
  const ort = await import("onnxruntime-web/wasm");
  // More threads would need pages that are isolated from all others, and a policy of this size would not profit.
  ort.env.wasm.numThreads = 1;
  return ort;
}

/** Opens a file that `diorama export` has written. */
export async function openPolicy(bytes: Uint8Array): Promise<LoadedPolicy> {
  const facts = readFacts(bytes);
  const ort = await runtime();
  const session = await ort.InferenceSession.create(bytes, { executionProviders: ["wasm"] }).catch(
    (failure: unknown) => {
      throw new PolicyRefused(`The graph of the file cannot be run: ${messageOf(failure)}`);
    },
  );
  const problem = differences(facts, session);
  if (problem !== null) {
    await session.release();
    throw new PolicyRefused(problem);
  }
  const memoryWidth = facts.inputs.memory ?? 0;
  let turn: Promise<unknown> = Promise.resolve();

  const run = async (rows: number, arrays: Arrays, memory: Float32Array): Promise<Decided> => {
    const feeds: Record<string, Tensor> = {};
    for (const [name, width] of Object.entries(facts.inputs)) {
      const data = name === "memory" ? memory : arrays[name];
      if (data === undefined || data.length !== rows * width) {
        const shown = data === undefined ? "none" : `${data.length / rows}`;
        throw new PolicyRefused(`The policy takes ${width} numbers of ${name}, and this world shows ${shown}.`);
      }
      feeds[name] =
        data instanceof Float32Array
          ? new ort.Tensor("float32", data, [rows, width])
          : new ort.Tensor("uint8", data, [rows, width]);
    }
    const answer = await session.run(feeds);
    const numbers = (name: string) => Array.from(answer[name]?.data as ArrayLike<number | bigint>, Number);
    return {
      actions: byRow(numbers("actions"), rows),
      probabilities: byRow(numbers("probabilities"), rows),
      values: numbers("values"),
      memory: memoryWidth === 0 ? memory : (answer.next_memory?.data as Float32Array),
    };
  };
  return {
    facts,
    memoryWidth,
    // One at a time: a session runs one decision after another.
    decide: (rows, arrays, memory) => {
      const mine = turn.then(() => run(rows, arrays, memory));
      turn = mine.catch(() => undefined);
      return mine;
    },
    release: () => turn.then(() => session.release()),
  };
}

/** Says in what the graph differs from what the file tells about it; null where in nothing. */
function differences(facts: PolicyFacts, session: InferenceSession): string | null {
  const wanted = Object.entries(facts.inputs).map(
    ([name, width]) => `${name} ${FLOATS.includes(name) ? "float32" : "uint8"} × ${width}`,
  );
  const found = session.inputMetadata.map((input) =>
    input.isTensor ? `${input.name} ${input.type} × ${input.shape.at(-1)}` : input.name,
  );
  const outputs = facts.inputs.memory === undefined ? NEEDED : [...NEEDED, "next_memory"];
  const missing = outputs.filter((name) => !session.outputNames.includes(name));
  if (wanted.toSorted().join() !== found.toSorted().join()) {
    return `The graph takes ${found.join(", ")}, and the file says it takes ${wanted.join(", ")}; export it again.`;
  }
  return missing.length === 0 ? null : `The graph gives no ${missing.join(", ")}; export it again.`;
}

function byRow(flat: readonly number[], rows: number): number[][] {
  const width = flat.length / rows;
  return Array.from({ length: rows }, (_, row) => flat.slice(row * width, (row + 1) * width));
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
