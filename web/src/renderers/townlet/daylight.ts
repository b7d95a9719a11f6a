/** Shares of the day: when the night is over, when the day is there, when it goes, when it is night again. */
const NIGHT_ENDS = 0.18;
const DAY_BEGINS = 0.28;
const DAY_ENDS = 0.8;
const NIGHT_BEGINS = 0.9;

export interface Daylight {
  /** 0 by day, 1 by night. */
  darkness: number;
  /** 0 but for dawn and dusk, when the light is warm. */
  glow: number;
}

/** What light a time of day has. */
export function daylightAt(tod: number, ticksPerDay: number): Daylight {
  const share = tod / ticksPerDay;
  const day = Math.min(ramp(share, NIGHT_ENDS, DAY_BEGINS), 1 - ramp(share, DAY_ENDS, NIGHT_BEGINS));
  return { darkness: 1 - day, glow: 4 * day * (1 - day) };
}

function ramp(value: number, from: number, to: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}
