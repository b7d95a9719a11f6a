import type { WorldModule } from "../renderer";
import { actionText } from "./actionText";
import { describe } from "./describe";
import { eventLines } from "./eventLines";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { tools } from "./tools";

/** Fetched along with the module, which does not wait for it: numbers and words are there before the picture. */
const drawing = import("./scene/TidebreakRenderer");

export const tidebreak: WorldModule = {
  // What does not come is asked for again, and its failure shown, when the picture is mounted.
  prepare: (manifests) => void drawing.then(({ loadArt }) => loadArt(manifests)).catch(() => undefined),
  createRenderer: async () => new (await drawing).TidebreakRenderer(),
  hud,
  describe,
  actionText,
  suggest,
  tools,
  eventLines,
  standingHeads: ["throttle", "rudder", "weapon"],
  howTo: [
    { title: "Give orders", text: "One per row of the deck. Helm and fire orders stand until you change them." },
    { title: "Let time pass", text: "Run the clock with Space, or go on step by step." },
    { title: "Find them first", text: "You see contacts, not ships. Active sensors see far and are seen farther." },
    { title: "Strike", text: "Click a contact to target it, bring weapons to bear, fire at will." },
  ],
};
