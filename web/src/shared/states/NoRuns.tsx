import { Code } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import { UnknownWorld, useUnknownWorld } from "../world/UnknownWorld";
import { useSelectedWorld } from "../world/useSelectedWorld";
import { StateMessage } from "./StateMessage";

interface Props {
  icon: LucideIcon;
  title: string;
  isCompact?: boolean;
}

/** In place of runs, where there are none of the chosen world: how to make one. */
export function NoRuns({ icon, title, isCompact = false }: Props) {
  const [world] = useSelectedWorld();
  const unknown = useUnknownWorld();
  if (unknown !== null) {
    return <UnknownWorld world={unknown} isCompact={isCompact} />;
  }
  return (
    <StateMessage
      icon={icon}
      title={title}
      hint={
        <>
          Train one and it appears here while it learns:{" "}
          <Code>diorama train {world ?? "prospector"} --preset quick</Code>
        </>
      }
      action={{ label: "Play meanwhile", href: world === null ? "/play" : `/play?world=${encodeURIComponent(world)}` }}
      isCompact={isCompact}
    />
  );
}
