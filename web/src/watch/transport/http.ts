import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { Frame, FramePage } from "../../api/types";
import type { ReplayRef } from "../state/deepLink";

/** The first portion is small, so that the first frame is soon on screen. */
const FIRST_FRAMES = 32;
const PAGE_FRAMES = 256;

export function framePage(ref: ReplayRef, offset: number, limit: number, signal: AbortSignal): Promise<FramePage> {
  const path = { run_id: ref.run, replay_id: ref.replay };
  const query = { offset, limit };
  return unwrap(api.GET("/api/runs/{run_id}/replays/{replay_id}/frames", { params: { path, query }, signal }));
}

export async function* framesOverHttp(
  ref: ReplayRef,
  offset: number,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<Frame[]> {
  const stop = offset + limit;
  let next = offset;
  let portion = FIRST_FRAMES;
  while (next < stop) {
    const page = await framePage(ref, next, Math.min(portion, stop - next), signal);
    yield page.frames;
    if (page.count === 0 || !page.has_more) {
      return;
    }
    next = page.next_offset;
    portion = PAGE_FRAMES;
  }
}
