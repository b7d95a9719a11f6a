import type { WorldModule } from "../renderer";
import { humanize } from "../ui/labels";
import { describe, gauges } from "./words";

const DETAILS: Readonly<Record<string, string>> = {
  NOOP: "No key goes down.",
  A: "Presses A for the first frames of the step.",
  B: "Presses B for the first frames of the step.",
  START: "Presses Start for the first frames of the step.",
};

/** A console of which the whole screen is seen. */
export const gameboy: WorldModule = {
  prepare: () => undefined,
  createRenderer: async () => new (await import("./GameboyRenderer")).GameboyRenderer(),
  hud: gauges,
  describe,
  actionText: (key) => {
    const name = key.split(".").at(-1) ?? key;
    const title = name === "NOOP" ? "No key" : name.length === 1 ? name : humanize(name.toLowerCase());
    return { title, detail: DETAILS[name] ?? `Holds ${title.toLowerCase()} for the first frames of the step.` };
  },
  suggest: () => [],
  tools: () => [
    {
      kind: "choice",
      key: "palette",
      label: "Colors",
      options: [
        { value: "grey", label: "Gray" },
        { value: "green", label: "Green" },
      ],
      initial: "grey",
    },
  ],
  howTo: [
    { title: "One key a step", text: "A step runs many frames; the key you choose goes down in the first of them." },
    { title: "Reach the goal", text: "The nearer the picture comes to the goal, the more a step pays." },
  ],
};
