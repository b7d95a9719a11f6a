import type { Metric, WindowRow, WorldDescriptor } from "../../api/types";
import { wholeOf } from "../../shared/world/metrics";

export type ChartGroup = "Outcome" | "Risk and efficiency" | "Learning" | "Throughput" | "Other metrics";

export interface ChartSpec {
  /** Field of a window row that is drawn. */
  field: string;
  title: string;
  unit: string;
  better: Metric["better"];
  group: ChartGroup;
  help: string;
  /** Field that holds the spread of the same episodes, where rows carry one. */
  spreadField?: string;
  /** Values are shares of something: nothing of theirs lies outside 0 and 1. */
  isShare?: boolean;
  /** The value that stands for all of something, so that values are shown in percent of it; null where none does. */
  whole: number | null;
}

const LEARNING_SHARES = new Set(["clip_fraction"]);

const RETURN: ChartSpec = {
  field: "return_mean",
  title: "Return",
  unit: "",
  better: "higher",
  group: "Outcome",
  help: "Mean over the episodes that ended in the window",
  spreadField: "return_std",
  whole: null,
};

const REWARD: ChartSpec = {
  field: "reward_mean",
  title: "Reward per step",
  unit: "",
  better: "higher",
  group: "Outcome",
  help: "Mean over all steps of the window",
  whole: null,
};

const EPISODE_LENGTH: ChartSpec = {
  field: "episode_length_mean",
  title: "Episode length",
  unit: "steps",
  better: "none",
  group: "Outcome",
  help: "Mean over the episodes that ended in the window",
  whole: null,
};

const LEARNING: readonly ChartSpec[] = [
  ["loss_policy", "Policy loss", "none", "Loss of the newest update"],
  ["loss_value", "Value loss", "lower", "Loss of the newest update"],
  ["entropy", "Entropy", "none", "How undecided the policy is; it falls as choices become firm"],
  ["approx_kl", "KL divergence", "none", "How far the newest update moved the policy"],
  ["clip_fraction", "Clip fraction", "none", "Share of samples whose ratio was clipped"],
  ["explained_variance", "Explained variance", "higher", "How well the value head predicts returns; 1 is perfect"],
  ["learning_rate", "Learning rate", "none", "Of the newest update"],
].map(([field, title, better, help]) => ({
  field: field as string,
  title: title as string,
  unit: "",
  better: better as Metric["better"],
  group: "Learning",
  help: help as string,
  isShare: LEARNING_SHARES.has(field as string),
  whole: LEARNING_SHARES.has(field as string) ? 1 : null,
}));

const THROUGHPUT: ChartSpec = {
  field: "steps_per_sec",
  title: "Steps per second",
  unit: "1/s",
  better: "higher",
  group: "Throughput",
  help: "Steps of the window over its wall time",
  whole: null,
};

const INVALID_ACTIONS: ChartSpec = {
  field: "invalid_action_rate",
  title: "Invalid actions",
  unit: "",
  better: "lower",
  group: "Risk and efficiency",
  help: "Share of steps whose action was not possible",
  isShare: true,
  whole: 1,
};

const AGGREGATE_HELP: Record<Metric["aggregate"], string> = {
  episode_final_mean: "Mean of the final values of episodes that ended in the window",
  episode_final_rate: "Share of the episodes that ended in the window",
  step_mean: "Mean over all steps of the window",
};

/** Returns the charts of a world in reading order: outcomes first, then risks, learning, throughput and the rest. */
export function chartCatalog(descriptor: WorldDescriptor | undefined): ChartSpec[] {
  const metrics = descriptor?.metrics ?? [];
  const headline = new Set(descriptor?.headline);
  const risks = new Set(descriptor?.risk_metrics);
  const pick = (keys: Set<string>, group: ChartGroup) =>
    metrics.filter((metric) => keys.has(metric.key)).map((metric) => metricChart(metric, group));
  const others = metrics.filter((metric) => !headline.has(metric.key) && !risks.has(metric.key));
  return [
    RETURN,
    ...pick(headline, "Outcome"),
    REWARD,
    EPISODE_LENGTH,
    ...pick(risks, "Risk and efficiency"),
    INVALID_ACTIONS,
    ...LEARNING,
    THROUGHPUT,
    ...others.map((metric) => metricChart(metric, "Other metrics")),
  ];
}

/** Returns the charts for which at least one of the runs has a number to show. */
export function chartsWithData(charts: readonly ChartSpec[], runs: readonly (readonly WindowRow[])[]): ChartSpec[] {
  return charts.filter((chart) =>
    runs.some((windows) => windows.some((window) => typeof window[chart.field] === "number")),
  );
}

function metricChart(metric: Metric, group: ChartGroup): ChartSpec {
  const whole = wholeOf(metric);
  return {
    field: `${metric.key}_mean`,
    title: metric.label,
    // Percent stands with every value.
    unit: whole === null ? metric.unit : "",
    better: metric.better,
    group,
    help: AGGREGATE_HELP[metric.aggregate],
    isShare: metric.aggregate === "episode_final_rate",
    whole,
  };
}
