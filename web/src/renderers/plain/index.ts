import { formatNumber } from "../../shared/format";
import type { HudGauge, RenderState, WorldModule } from "../renderer";
import { humanize } from "../ui/labels";
import { PlainRenderer } from "./PlainRenderer";

/** A world without a painter of its own: all that it tells is shown as it is. */
export const plain: WorldModule = {
  prepare: () => undefined,
  createRenderer: async () => new PlainRenderer(),
  hud: gauges,
  describe: (state) =>
    [
      `After ${formatNumber(state.time)} ticks`,
      ...Object.entries(state.headline).map(([key, value]) => `${humanize(key).toLowerCase()} ${formatNumber(value)}`),
    ].join(", "),
  actionText: (key) => ({ title: humanize(key.split(".").at(-1) ?? key), detail: "" }),
  suggest: () => [],
  howTo: [{ title: "Choose an action", text: "What cannot be done now is greyed out; every choice is one step." }],
};

function gauges({ headline, time, time_remaining }: RenderState): HudGauge[] {
  const told = Object.entries(headline).map(([key, value]) => gauge(key, formatNumber(value), ""));
  const left = gauge("left", `${formatNumber(time_remaining)} ticks`, "Simulated time until the episode is cut off.");
  return [
    ...told,
    gauge("time", `${formatNumber(time)} ticks`, "Simulated time so far."),
    ...(time_remaining > 0 ? [left] : []),
  ];
}

function gauge(key: string, text: string, hint: string): HudGauge {
  return { key, label: humanize(key), text, tone: "plain", hint };
}
