import type { JsonObject } from "../api/types";
import { NotOnnx, readMetadata } from "./metadata";

const METADATA_KEY = "diorama";
const COMMAND = "diorama export";

/** What a policy file says about itself. */
export interface PolicyFacts {
  world: string;
  interfaceVersion: string;
  runId: string;
  arch: string;
  /** Steps it was trained for. */
  envSteps: number;
  /** Width of every array it takes, by name. */
  inputs: Readonly<Record<string, number>>;
  outputs: readonly string[];
  heads: readonly { name: string; options: number }[];
  /** The configuration of the world it was trained in; null where the file does not say. */
  config: JsonObject | null;
  /** Whether it was judged by drawing its options instead of taking the likeliest. */
  isDrawn: boolean;
  /** Whether every head can be drawn by itself: none waits for another. */
  hasIndependentHeads: boolean;
}

/** A file cannot be used; the message says why, for people. */
export class PolicyRefused extends Error {
  /** A configuration of the present world in which it could be used; null where there is none. */
  readonly config: JsonObject | null;

  constructor(message: string, config: JsonObject | null = null) {
    super(message);
    this.config = config;
  }
}

/** Reads what `diorama export` has written beside the graph. */
export function readFacts(bytes: Uint8Array): PolicyFacts {
  const told = parsed(bytes);
  const { world, interface_version, run_id, arch, env_steps_total, inputs, outputs, heads } = told;
  if (
    typeof world !== "string" ||
    typeof interface_version !== "string" ||
    !isWidths(inputs) ||
    !isNames(outputs) ||
    !isHeads(heads)
  ) {
    throw new PolicyRefused(`What the file says about itself is not what ${COMMAND} writes; export the policy again.`);
  }
  return {
    world,
    interfaceVersion: interface_version,
    runId: typeof run_id === "string" ? run_id : "unknown",
    arch: typeof arch === "string" ? arch : "unknown",
    envSteps: typeof env_steps_total === "number" ? env_steps_total : 0,
    inputs,
    outputs,
    heads,
    config: typeof told.config === "object" ? (told.config as JsonObject | null) : null,
    isDrawn: told.is_drawn === true,
    hasIndependentHeads: told.independent_heads === true || heads.length === 1,
  };
}

function parsed(bytes: Uint8Array): Record<string, unknown> {
  try {
    const text = readMetadata(bytes, METADATA_KEY);
    if (text === null) {
      throw new PolicyRefused(`The file does not say which world it is for; use one that ${COMMAND} has written.`);
    }
    const told: unknown = JSON.parse(text);
    return typeof told === "object" && told !== null ? (told as Record<string, unknown>) : {};
  } catch (failure) {
    if (failure instanceof NotOnnx || failure instanceof TypeError) {
      throw new PolicyRefused(`This is no ONNX file, or only a part of one; use one that ${COMMAND} has written.`);
    }
    if (failure instanceof SyntaxError) {
      return {};
    }
    throw failure;
  }
}

function isWidths(value: unknown): value is Record<string, number> {
  return typeof value === "object" && value !== null && Object.values(value).every(Number.isInteger);
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isHeads(value: unknown): value is { name: string; options: number }[] {
  return Array.isArray(value) && value.every((one) => typeof one?.name === "string" && Number.isInteger(one?.options));
}
