import { formatNumber } from "../../shared/format";
import type { WorldModule } from "../renderer";
import { humanize } from "../ui/labels";
import { PixelRenderer } from "./PixelRenderer";

/** A world that sends its picture as pixels and has no painter of its own. */
export const pixels: WorldModule = {
  prepare: () => undefined,
  createRenderer: async () => new PixelRenderer(),
  hud: (state) => [
    ...Object.entries(state.headline).map(([key, value]) => ({
      key,
      label: humanize(key),
      text: formatNumber(value),
      tone: "plain" as const,
      hint: "",
    })),
    { key: "time", label: "Time", text: `${state.time} ticks`, tone: "plain", hint: "Simulated time so far." },
  ],
  describe: (state) => `A picture of ${state.time} ticks`,
  actionText: (key) => ({ title: humanize(key.split(".").at(-1) ?? key), detail: "" }),
  suggest: () => [],
  howTo: [{ title: "Hold a button", text: "What you choose stays pressed until you choose something else." }],
};
