import type { WorldModule } from "../renderer";
import { actionText } from "./actionText";
import { describe } from "./describe";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { noteOf } from "./memory";
import { Panels } from "./panels/Panels";

/** Fetched along with the module, which does not wait for it: numbers and words are there before the picture. */
const drawing = import("./scene/ProspectorRenderer");

export const prospector: WorldModule = {
  // What does not come is asked for again, and its failure shown, when the picture is mounted.
  prepare: (manifests) => void drawing.then(({ loadArt }) => loadArt(manifests)).catch(() => undefined),
  createRenderer: async () => new (await drawing).ProspectorRenderer(),
  hud,
  describe,
  actionText,
  suggest,
  Panels,
  noteOf,
  eventPictures: {
    pirate_encounter: "icon.event.pirate",
    fracture: "icon.event.fracture",
    overheat_tick: "icon.event.overheat",
    stranded: "icon.event.stranded",
    destroyed: "icon.event.destroyed",
    invalid_action: "icon.event.invalid",
  },
  howTo: [
    { title: "Scan and pick", text: "Fly to a cluster, scan the rocks, and click one to select it." },
    { title: "Mine", text: "Dig the selected rock and watch heat and tool." },
    { title: "Cool and repair", text: "Cool down and patch up in time; leave when pirates gather." },
    { title: "Dock and sell", text: "Fly home, sell large amounts in portions, restock, and cash out while ahead." },
  ],
};
