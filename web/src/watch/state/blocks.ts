/** Which parts of a replay to load next, and which to forget. Frames travel in blocks as they lie in the file. */

export const BLOCK_FRAMES = 256;
/** Blocks kept in memory: about 6,000 frames. */
export const MAX_BLOCKS = 24;
/** Blocks loaded ahead of the frame on screen. */
export const AHEAD_BLOCKS = 3;
/** Replays up to this long are loaded whole, so that their timeline is complete. */
export const WHOLE_FRAMES = 5120;

export function blockOf(index: number): number {
  return Math.floor(index / BLOCK_FRAMES);
}

function blockCount(frames: number): number {
  return Math.ceil(frames / BLOCK_FRAMES);
}

export interface Span {
  offset: number;
  limit: number;
}

/**
 * Returns the next stretch of missing blocks, or null when everything wanted is there: first the block on screen and
 * those after it, then, in short replays, the rest.
 */
export function nextSpan(target: number, frames: number, isLoaded: (block: number) => boolean): Span | null {
  const total = blockCount(frames);
  const first = blockOf(Math.min(Math.max(0, target), Math.max(0, frames - 1)));
  const last = Math.min(total - 1, first + AHEAD_BLOCKS);
  for (let block = first; block <= last; block += 1) {
    if (!isLoaded(block)) {
      return stretch(block, last, frames, isLoaded);
    }
  }
  if (frames > WHOLE_FRAMES) {
    return null;
  }
  for (let step = 0; step < total; step += 1) {
    const block = (first + step) % total;
    if (!isLoaded(block)) {
      return stretch(block, total - 1, frames, isLoaded);
    }
  }
  return null;
}

/** Returns the next stretch of frames to read for what is remembered of them; null when all up to the screen are. */
export function unreadSpan(firstUnread: number, target: number): Span | null {
  if (firstUnread < 0 || firstUnread > target) {
    return null;
  }
  return { offset: firstUnread, limit: Math.min((AHEAD_BLOCKS + 1) * BLOCK_FRAMES, target + 1 - firstUnread) };
}

/** Returns the blocks to forget so that at most `MAX_BLOCKS` stay: those farthest from the screen. */
export function evictions(loaded: readonly number[], target: number, frames: number): number[] {
  if (frames <= WHOLE_FRAMES || loaded.length <= MAX_BLOCKS) {
    return [];
  }
  const here = blockOf(target);
  const byDistance = [...loaded].sort((a, b) => distance(b, here) - distance(a, here));
  return byDistance.slice(0, loaded.length - MAX_BLOCKS);
}

function stretch(from: number, last: number, frames: number, isLoaded: (block: number) => boolean): Span {
  let stop = from + 1;
  while (stop <= last && !isLoaded(stop)) {
    stop += 1;
  }
  const offset = from * BLOCK_FRAMES;
  return { offset, limit: Math.min(frames, stop * BLOCK_FRAMES) - offset };
}

/** What lies behind is forgotten sooner than what lies ahead. */
function distance(block: number, here: number): number {
  return block >= here ? block - here : (here - block) * 2;
}
