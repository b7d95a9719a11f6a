/** Milliseconds a change takes to be seen; shorter than the slowest playback. */
export const TWEEN_MS = 320;

export function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}

export function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

export function easeOut(share: number): number {
  return 1 - (1 - clamp01(share)) ** 3;
}

/** Returns the nearest way from one angle to another, so that a ship never spins the long way round. */
export function lerpAngle(from: number, to: number, share: number): number {
  const turn = ((((to - from + Math.PI) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)) - Math.PI;
  return from + turn * share;
}
