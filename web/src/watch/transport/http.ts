import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { Frame, FramePage } from "../../api/types";
import type { ReplayRef } from "../state/deepLink";

/** The first portion is small, so that the first frame is soon on screen. */
const FIRST_FRAMES = 32;
const PAGE_FRAMES = 256;

function framePage(ref: ReplayRef, offset: number, limit: number, signal: AbortSignal): Promise<FramePage> {
  const path = { run_id: ref.run, replay_id: ref.replay };
  const query = { offset, limit };
  return unwrap(api.GET("/api/runs/{run_id}/replays/{replay_id}/frames", { params: { path, query }, signal }));
}

let opening: { ref: ReplayRef; page: Promise<FramePage> } | null = null;

/** Asks for the first frames of a replay before anything else is known about it; the load of its start takes them. */
export function askForOpening(ref: ReplayRef): void {
  if (opening !== null && isSame(opening.ref, ref)) {
    return;
  }
  const page = framePage(ref, 0, FIRST_FRAMES, new AbortController().signal);
  // Told to whoever takes it.
  page.catch(() => undefined);
  opening = { ref, page };
}

function takeOpening(ref: ReplayRef): Promise<FramePage> | null {
  if (opening === null || !isSame(opening.ref, ref)) {
    return null;
  }
  const { page } = opening;
  opening = null;
  return page;
}

function isSame(one: ReplayRef, other: ReplayRef): boolean {
  return one.run === other.run && one.replay === other.replay;
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
    // A single frame is for a search and needs no more than itself.
    const early = next === 0 && limit > 1 ? takeOpening(ref) : null;
    const page = await (early ?? framePage(ref, next, Math.min(portion, stop - next), signal));
    yield page.frames;
    if (page.count === 0 || !page.has_more) {
      return;
    }
    next = page.next_offset;
    portion = PAGE_FRAMES;
  }
}
