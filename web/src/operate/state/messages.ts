import type { JsonObject } from "./json";

export const MAJOR_VERSION = "0";
export const MINOR_VERSION = 3;
export const SUBPROTOCOL = "telemetry.0.3";

/** What has happened in a tick. */
export interface LiveEvent extends JsonObject {
  readonly event: string;
  readonly tick: number;
}

export interface Narration extends JsonObject {
  readonly tick: number;
  readonly category: string;
  readonly message: string;
  readonly priority: boolean;
}

/** One message of the telemetry stream. */
export interface Envelope {
  schema_version: string;
  world: string;
  run_id: string;
  config_id: string;
  seq: number;
  payload_type: "snapshot" | "diff" | "heartbeat";
  tick: number;
  day: number;
  tod: number;
  base_seq?: number;
  state?: JsonObject;
  /** Absent in heartbeats, which tell only that the world is there. */
  events?: readonly LiveEvent[];
  narrations?: readonly Narration[];
  aggregated?: number;
}
