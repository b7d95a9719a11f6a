import type { WorldDescriptor } from "../../api/types";
import { formatChange, formatNumber } from "../../shared/format";
import { metricChange, metricLabel, metricText } from "../../shared/world/metrics";
import type { Summary } from "./summary";

/** A number that is followed through a replay. */
export interface Curve {
  key: string;
  label: string;
  values: (summary: Summary) => Float64Array;
  show: (value: number | null | undefined) => string;
  /** Tells how far two values are apart. */
  showChange: (change: number | null | undefined) => string;
}

const RETURN: Curve = {
  key: "return",
  label: "Reward, summed",
  values: (summary) => summary.returns(),
  show: formatNumber,
  showChange: formatChange,
};

/** What can be followed: the rewards so far, and the headline metrics of the world. */
export function curvesOf(descriptor: WorldDescriptor): readonly [Curve, ...Curve[]] {
  const headline = descriptor.headline.map(
    (key): Curve => ({
      key,
      label: metricLabel(descriptor, key),
      values: (summary) => summary.metric(key),
      show: (value) => metricText(descriptor, key, value),
      showChange: (change) => metricChange(descriptor, key, change),
    }),
  );
  return [RETURN, ...headline];
}
