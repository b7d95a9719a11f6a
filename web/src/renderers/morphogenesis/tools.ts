import type { PictureTool } from "../renderer";

export const CHARTS = ["accuracy", "loss", "reward"] as const;
export type ChartKind = (typeof CHARTS)[number];

/** What can be changed about the picture. */
export function tools(): PictureTool[] {
  return [
    {
      kind: "choice",
      key: "chart",
      label: "Chart",
      options: [
        { value: "accuracy", label: "Accuracy" },
        { value: "loss", label: "Loss" },
        { value: "reward", label: "Reward" },
      ],
      initial: "accuracy",
    },
    {
      kind: "switch",
      key: "lanes",
      label: "Lanes",
      hint: "The life of every seed, epoch by epoch, under the chart",
      initial: true,
    },
  ];
}
