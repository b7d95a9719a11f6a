const MINUTES_PER_DAY = 1440;

/** Returns the time of day as people write it. */
export function clockText(tod: number, ticksPerDay: number): string {
  const minutes = Math.floor((tod / ticksPerDay) * MINUTES_PER_DAY);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
