/** Messages of sockets and event streams, which an OpenAPI document cannot carry. */
import type { CheckpointMark, Frame, ReplayEntry, RunState, WindowRow } from "./types";

/** `WS /ws/runs/{run}/replays/{replay}/frames`, server to client. */
export type FrameMessage = FramesMessage | CompleteMessage | ErrorMessage;

export interface FramesMessage {
  type: "frames";
  run_id: string;
  replay_id: string;
  offset: number;
  next_offset: number;
  count: number;
  has_more: boolean;
  /** -1 for the prelude, which has no frames. */
  chunk_index: number;
  chunk_bytes: number;
  max_chunk_bytes: number;
  frames: Frame[];
  prelude?: boolean;
}

export interface CompleteMessage {
  type: "complete";
  run_id: string;
  replay_id: string;
  offset: number;
  next_offset: number;
  count: number;
  has_more: boolean;
  replay_path: string;
  chunks_sent: number;
  batch_size: number;
  max_chunk_bytes: number;
  yield_every_batches: number;
}

export interface ErrorMessage {
  type: "error";
  status_code: number;
  detail: string;
}

/** `GET /api/runs/{run}/follow`: the data of an event, by its name. */
export interface FollowData {
  window: WindowRow;
  checkpoint: CheckpointMark;
  replay: ReplayEntry;
  status: RunState;
}

export type FollowName = keyof FollowData;
