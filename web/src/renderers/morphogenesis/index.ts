import type { WorldModule } from "../renderer";
import { actionText, refusal } from "./actionText";
import { describe } from "./describe";
import { duel } from "./duel";
import { eventLines } from "./eventLines";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { fetchSheets } from "./scene/art";
import { subjects } from "./subjects";
import { tools } from "./tools";

/** A network that grows while it trains. */
export const morphogenesis: WorldModule = {
  prepare: fetchSheets,
  createRenderer: async () => new (await import("./scene/MorphogenesisRenderer")).MorphogenesisRenderer(),
  hud,
  describe,
  actionText,
  refusal,
  suggest,
  subjects,
  tools,
  eventLines,
  standingHeads: [],
  score: duel,
  howTo: [
    { title: "One decision per epoch", text: "The host trains on its own; you decide when it grows. Space decides." },
    {
      title: "Plant and lead on",
      text: "Plant a seed, let it train beside the host, blend it in, keep it or remove it.",
    },
    { title: "Watch the twin", text: "The control twin never grows. What counts is how far you are ahead of it." },
    { title: "Growth costs rent", text: "Every parameter has its price; a seed that brings nothing should go." },
  ],
};
