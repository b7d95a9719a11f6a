import { plain } from "../plain";
import type { WorldModule } from "../renderer";
import { PixelRenderer } from "./PixelRenderer";

/** A world that sends its picture as pixels and has no painter of its own. */
export const pixels: WorldModule = {
  ...plain,
  createRenderer: async () => new PixelRenderer(),
  describe: (state) => `A picture of ${state.time} ticks`,
  howTo: [{ title: "Hold a button", text: "What you choose stays pressed until you choose something else." }],
};
