import { formatNumber } from "../format";

export interface ShownTag {
  tag: string;
  kind: "best" | "milestone" | "operator" | "other";
  label: string;
}

/** On every replay, so it tells a reader nothing. */
const SILENT = "every_window";
const OPERATOR = "operator:";

/** Returns the tags of a replay worth showing: best first, and of each metric's milestones only the highest. */
export function shownTags(tags: readonly string[]): ShownTag[] {
  const highest = new Map<string, { threshold: number; tag: string }>();
  const shown: ShownTag[] = [];
  for (const tag of tags) {
    const milestone = readMilestone(tag);
    if (milestone !== null) {
      const known = highest.get(milestone.metric);
      if (known === undefined || known.threshold < milestone.threshold) {
        highest.set(milestone.metric, { threshold: milestone.threshold, tag });
      }
    } else if (tag === "best_so_far") {
      shown.unshift({ tag, kind: "best", label: "Best so far" });
    } else if (tag !== SILENT) {
      const isOperators = tag.startsWith(OPERATOR);
      const label = isOperators ? tag.slice(OPERATOR.length) : tag.replaceAll("_", " ").replace(":", ": ");
      shown.push({ tag, kind: isOperators ? "operator" : "other", label });
    }
  }
  for (const [metric, { threshold, tag }] of highest) {
    shown.push({ tag, kind: "milestone", label: `${metric.replaceAll("_", " ")} ≥ ${formatNumber(threshold)}` });
  }
  return shown;
}

function readMilestone(tag: string): { metric: string; threshold: number } | null {
  const [kind, metric, threshold] = tag.split(":");
  return kind === "milestone" && metric !== undefined && threshold !== undefined
    ? { metric, threshold: Number(threshold) }
    : null;
}
