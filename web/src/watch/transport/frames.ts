import type { Frame } from "../../api/types";
import type { ReplayRef } from "../state/deepLink";
import { framesOverHttp } from "./http";
import { framesOverSocket } from "./socket";

export type Transport = "http" | "websocket";

/** Yields frames `offset` to `offset + limit - 1` in order, a portion at a time, until the signal aborts. */
export type FrameSource = (
  ref: ReplayRef,
  offset: number,
  limit: number,
  signal: AbortSignal,
) => AsyncGenerator<Frame[]>;

export const SOURCES: Readonly<Record<Transport, FrameSource>> = {
  http: framesOverHttp,
  websocket: framesOverSocket,
};
