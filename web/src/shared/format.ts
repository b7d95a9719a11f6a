const NO_VALUE = "–";
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
const GROUPED = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const SMALL = 0.001;
/** Below this, zeros after the point can no longer be counted at a glance. */
const TINY = 0.000_01;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** Returns a number as people read it: grouped, three significant digits when small, an en dash when there is none. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return NO_VALUE;
  }
  return withMinus(value, sized(Math.abs(value)));
}

/** Returns a change with its sign. */
export function formatChange(value: number | null | undefined): string {
  return `${typeof value === "number" && value > 0 ? "+" : ""}${formatNumber(value)}`;
}

/** Returns 12,025,856 as 12.03M, for tables and axes. */
export function formatCompact(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value)
    ? NO_VALUE
    : withMinus(value, compact(Math.abs(value)));
}

/** Returns a count with the word for what is counted: 1 decision, 1,204 decisions. */
export function formatCount(count: number, noun: string): string {
  return `${GROUPED.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns a change of a share in percentage points, with its sign. */
export function formatPoints(change: number | null | undefined): string {
  if (change === null || change === undefined || !Number.isFinite(change)) {
    return NO_VALUE;
  }
  const digits = `${round1(Math.abs(change) * 100)}`;
  const sign = change > 0 && digits !== "0" ? "+" : "";
  return `${sign}${withMinus(change, digits)} ${digits === "1" ? "point" : "points"}`;
}

/** Returns a share in percent, to a tenth. */
export function formatPercent(share: number | null | undefined): string {
  return share === null || share === undefined || !Number.isFinite(share)
    ? NO_VALUE
    : `${withMinus(share, `${round1(Math.abs(share) * 100)}`)}%`;
}

/** Returns a share in whole percent, for gauges, odds and other places where a tenth says nothing. */
export function formatWholePercent(share: number): string {
  return `${withMinus(share, `${Math.round(Math.abs(share) * 100)}`)}%`;
}

/** Returns a length of time in its two largest units, such as 3 m 12 s. */
export function formatDuration(seconds: number): string {
  if (seconds < MINUTE_S) {
    return `${seconds < 10 ? round1(seconds) : Math.round(seconds)} s`;
  }
  if (seconds < HOUR_S) {
    return `${Math.floor(seconds / MINUTE_S)} m ${Math.round(seconds % MINUTE_S)} s`;
  }
  if (seconds < DAY_S) {
    return `${Math.floor(seconds / HOUR_S)} h ${Math.round((seconds % HOUR_S) / MINUTE_S)} m`;
  }
  return `${Math.floor(seconds / DAY_S)} d ${Math.round((seconds % DAY_S) / HOUR_S)} h`;
}

/** Returns how long ago a moment was; `now` is in milliseconds. */
export function formatAge(moment: string | null | undefined, now: number): string {
  const at = moment === null || moment === undefined ? Number.NaN : Date.parse(moment);
  if (Number.isNaN(at)) {
    return NO_VALUE;
  }
  const seconds = Math.max(0, (now - at) / 1000);
  if (seconds < 10) {
    return "just now";
  }
  if (seconds < MINUTE_S) {
    return `${Math.round(seconds)} s ago`;
  }
  if (seconds < HOUR_S) {
    return `${Math.round(seconds / MINUTE_S)} min ago`;
  }
  return seconds < DAY_S ? `${Math.round(seconds / HOUR_S)} h ago` : `${Math.round(seconds / DAY_S)} d ago`;
}

/** Returns a moment in the reader's own time zone. */
export function formatMoment(moment: string | null | undefined): string {
  if (moment === null || moment === undefined || Number.isNaN(Date.parse(moment))) {
    return NO_VALUE;
  }
  return new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** Sets the sign of a value before its digits; a value that is rounded to nothing has none. */
function withMinus(value: number, digits: string): string {
  return value < 0 && digits !== "0" ? `−${digits}` : digits;
}

function compact(size: number): string {
  return size < 1000 ? sized(size) : COMPACT.format(size);
}

function sized(size: number): string {
  if (size !== 0 && size < SMALL) {
    return size < TINY ? scientific(size) : trimZeros(size.toFixed(1 - Math.floor(Math.log10(size))));
  }
  return size < 10 ? trimZeros(size.toPrecision(3)) : GROUPED.format(size < 1000 ? round1(size) : Math.round(size));
}

/** Returns 1.4e-7 as 1.4 × 10⁻⁷. */
function scientific(value: number): string {
  const [digits, power = "0"] = value.toExponential(1).split("e");
  const raised = [...power.replace("-", "")].map((digit) => SUPERSCRIPTS[Number(digit)] ?? "").join("");
  return `${digits} × 10⁻${raised}`;
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

function trimZeros(digits: string): string {
  return digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
}
