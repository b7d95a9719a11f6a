import type { Metric, WorldDescriptor } from "../../api/types";
import { formatChange, formatNumber, formatPercent, formatPoints } from "../format";

/** Returns what a metric is called; one that the world does not describe by its key. */
export function metricLabel(descriptor: WorldDescriptor | undefined, key: string): string {
  return metricOf(descriptor, key)?.label ?? key;
}

/** Returns a value of a metric as people read it: shares and rates in percent. */
export function metricText(
  descriptor: WorldDescriptor | undefined,
  key: string,
  value: number | null | undefined,
): string {
  return amountText(value, wholeOf(metricOf(descriptor, key)));
}

/** Returns a change of a metric with its sign: of shares and rates in points. */
export function metricChange(
  descriptor: WorldDescriptor | undefined,
  key: string,
  change: number | null | undefined,
): string {
  return changeText(change, wholeOf(metricOf(descriptor, key)));
}

/** Returns the value of a metric that stands for all of something: 1 or 100; null where none does. */
export function wholeOf(metric: Metric | undefined): number | null {
  if (metric?.unit === "percent") {
    return 100;
  }
  return metric?.unit === "share" || metric?.aggregate === "episode_final_rate" ? 1 : null;
}

/** Returns an amount, in percent of a whole where there is one. */
export function amountText(value: number | null | undefined, whole: number | null): string {
  return whole === null ? formatNumber(value) : formatPercent(partOf(value, whole));
}

/** Returns a change with its sign, in points of a whole where there is one. */
export function changeText(change: number | null | undefined, whole: number | null): string {
  return whole === null ? formatChange(change) : formatPoints(partOf(change, whole));
}

export function metricOf(descriptor: WorldDescriptor | undefined, key: string): Metric | undefined {
  return descriptor?.metrics.find((metric) => metric.key === key);
}

function partOf(value: number | null | undefined, whole: number): number | null {
  return typeof value === "number" ? value / whole : null;
}
