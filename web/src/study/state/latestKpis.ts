import type { Metric, WindowRow, WorldDescriptor } from "../../api/types";
import { metricOf, wholeOf } from "../../shared/world/metrics";

export interface Kpi {
  label: string;
  value: number | null;
  /** Change against the window before; null where either has no value. */
  delta: number | null;
  /** Whether the change is for the better; null where neither way is better or nothing changed. */
  isBetter: boolean | null;
  /** What stands for all of something, so that value and change are told in percent of it; null where nothing does. */
  whole: number | null;
}

type Field = { field: string; label: string; better: Metric["better"]; whole?: number | null };

/** Returns the numbers of the newest window that matter most; none before the first window. */
export function latestKpis(windows: readonly WindowRow[], descriptor: WorldDescriptor | undefined): Kpi[] {
  const newest = windows.at(-1);
  if (newest === undefined) {
    return [];
  }
  const before = windows.at(-2);
  return kpiFields(descriptor).map(({ field, label, better, whole = null }) => {
    const value = number(newest[field]);
    const previous = number(before?.[field]);
    const delta = value === null || previous === null ? null : value - previous;
    return { label, value, delta, isBetter: judge(delta, better), whole };
  });
}

function kpiFields(descriptor: WorldDescriptor | undefined): Field[] {
  const headline = (descriptor?.headline ?? []).flatMap((key) => {
    const metric = metricOf(descriptor, key);
    return metric === undefined ? [] : [headlineField(metric)];
  });
  return [
    { field: "return_mean", label: "Return", better: "higher" },
    ...headline,
    { field: "reward_mean", label: "Reward per step", better: "higher" },
    { field: "episodes_completed", label: "Episodes", better: "none" },
    { field: "steps_per_sec", label: "Steps per second", better: "higher" },
  ];
}

function headlineField(metric: Metric): Field {
  return { field: `${metric.key}_mean`, label: metric.label, better: metric.better, whole: wholeOf(metric) };
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function judge(delta: number | null, better: Metric["better"]): boolean | null {
  if (delta === null || delta === 0 || better === "none") {
    return null;
  }
  return delta > 0 === (better === "higher");
}
