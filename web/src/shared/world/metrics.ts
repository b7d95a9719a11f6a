import type { Metric, WorldDescriptor } from "../../api/types";
import { formatNumber, formatPercent } from "../format";

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
  const metric = metricOf(descriptor, key);
  if (metric !== undefined && isShare(metric)) {
    return formatPercent(value);
  }
  return metric?.unit === "percent" && typeof value === "number" ? formatPercent(value / 100) : formatNumber(value);
}

/** Whether 1 stands for all of something. */
export function isShare({ unit, aggregate }: Metric): boolean {
  return unit === "share" || aggregate === "episode_final_rate";
}

export function metricOf(descriptor: WorldDescriptor | undefined, key: string): Metric | undefined {
  return descriptor?.metrics.find((metric) => metric.key === key);
}
