import { Compass } from "lucide-react";
import { useWorlds } from "../../api/queries";
import { StateMessage } from "../states/StateMessage";
import { useSelectedWorld } from "./useSelectedWorld";

/** Returns the chosen world if the server has none of that name; null also while that is not known yet. */
export function useUnknownWorld(): string | null {
  const [world] = useSelectedWorld();
  const worlds = useWorlds().data?.worlds;
  return world !== null && worlds !== undefined && !worlds.includes(world) ? world : null;
}

/** In place of what a page would show of a world that is not installed. */
export function UnknownWorld({ world, isCompact }: { world: string; isCompact?: boolean }) {
  const [, selectWorld] = useSelectedWorld();
  const worlds = useWorlds().data?.worlds ?? [];
  return (
    <StateMessage
      icon={Compass}
      title={`No world is called “${world}” here`}
      hint={`Installed are ${worlds.join(", ")}.`}
      action={{ label: "Show all worlds", onClick: () => selectWorld(null) }}
      isCompact={isCompact}
    />
  );
}
