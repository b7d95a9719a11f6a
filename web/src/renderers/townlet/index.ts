import type { WorldModule } from "../renderer";
import { actionText } from "./actionText";
import { describe } from "./describe";
import { eventLines } from "./eventLines";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { subjects } from "./subjects";
import { tools } from "./tools";

/** Fetched along with the module, which does not wait for it: numbers and words are there before the picture. */
const drawing = import("./scene/TownletRenderer");

export const townlet: WorldModule = {
  // What does not come is asked for again, and its failure shown, when the picture is mounted.
  prepare: (manifests) => void drawing.then(({ loadArt }) => loadArt(manifests)).catch(() => undefined),
  createRenderer: async () => new (await drawing).TownletRenderer(),
  hud,
  describe,
  actionText,
  suggest,
  tools,
  subjects,
  eventLines,
  // A plan stands until another is chosen, a step is taken once.
  standingHeads: ["option"],
  howTo: [
    {
      title: "You lead one citizen",
      text: "The others look after themselves. A plan stands until you choose another; steps are taken one by one.",
    },
    {
      title: "Let time pass",
      text: "Run the clock, or go on tick by tick with the full stop. Things in town can be clicked, too.",
    },
    { title: "Stay well", text: "Eat, wash and sleep before a need runs out; meals and showers cost money." },
    {
      title: "Earn and get on",
      text: "Be at work on time, pay the rent at midnight, make friends and avoid quarrels.",
    },
  ],
};
