import type { WorldModule } from "../renderer";
import { actionText } from "./actionText";
import { describe } from "./describe";
import { suggest } from "./guidance";
import { hud } from "./hud";
import { ProspectorRenderer } from "./scene/ProspectorRenderer";

export const prospector: WorldModule = {
  createRenderer: () => new ProspectorRenderer(),
  hud,
  describe,
  actionText,
  suggest,
  howTo: [
    { title: "Scan and pick", text: "Fly to a cluster, scan the rocks, and click one to select it." },
    { title: "Mine", text: "Dig the selected rock and watch heat and tool." },
    { title: "Cool and repair", text: "Cool down and patch up in time; leave when pirates gather." },
    { title: "Dock and sell", text: "Fly home, sell in portions, restock, and cash out while ahead." },
  ],
};
